// Drives the official TypeScript client (SDK 2) and prints one JSON line of what it saw.
// usage: node client.mjs '<JSON: {url, token, era, answer, read, destructive}>'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const plan = JSON.parse(process.argv[2]);
const asked = [];
const client = new Client(
  { name: 'oas2mcp-tests', version: '1' },
  {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode: plan.era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
  },
);
client.setRequestHandler('elicitation/create', async (request) => {
  asked.push(request.params.message);
  return plan.answer === 'accept'
    ? { action: 'accept', content: { confirm: true } }
    : { action: plan.answer };
});
const options = plan.token ? { authProvider: { token: async () => plan.token } } : {};
const call = ({ name, arguments: values }) => client.callTool({ name, arguments: values });
try {
  await client.connect(new StreamableHTTPClientTransport(new URL(plan.url), options));
  const { tools } = await client.listTools();
  const read = await call(plan.read);
  const destructive = await call(plan.destructive);
  console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), read, asked, destructive }));
  await client.close();
} catch (error) {
  console.log(JSON.stringify({ failed: `${error.name}: ${error.message}` }));
  process.exitCode = 1;
}
