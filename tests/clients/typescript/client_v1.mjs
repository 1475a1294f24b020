// Drives the official TypeScript client (SDK 1, legacy era only) and prints one JSON line of what it saw.
// usage: node client_v1.mjs '<JSON: {url, token, answer, read, destructive}>'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const plan = JSON.parse(process.argv[2]);
const asked = [];
const client = new Client({ name: 'oas2mcp-tests', version: '1' }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, async (request) => {
  asked.push(request.params.message);
  return { action: plan.answer, content: plan.answer === 'accept' ? { confirm: true } : undefined };
});
const headers = plan.token ? { authorization: `Bearer ${plan.token}` } : {};
const call = ({ name, arguments: values }) => client.callTool({ name, arguments: values });
try {
  await client.connect(new StreamableHTTPClientTransport(new URL(plan.url), { requestInit: { headers } }));
  const { tools } = await client.listTools();
  const read = await call(plan.read);
  const destructive = await call(plan.destructive);
  console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), read, asked, destructive }));
  await client.close();
} catch (error) {
  console.log(JSON.stringify({ failed: `${error.name}: ${error.message}` }));
  process.exitCode = 1;
}
