"""Drives the official Python client and prints one JSON line of what it saw.

usage: client.py '<JSON: {url, token, era, answer, read, destructive}>'
"""

import asyncio
import json
import sys

import mcp_types as types
from mcp.client.client import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

PLAN = json.loads(sys.argv[1])
ASKED = []


async def answer(_context, params):
    """Answers every question as the plan says."""
    ASKED.append(params.message)
    content = {"confirm": True} if PLAN["answer"] == "accept" else None
    return types.ElicitResult(action=PLAN["answer"], content=content)


async def main():
    """Lists the tools, calls one that reads and one that must be confirmed."""
    token = PLAN.get("token")
    headers = {"Authorization": f"Bearer {token}"} if token else None
    mode = "legacy" if PLAN["era"] == "legacy" else "2026-07-28"
    http = create_mcp_http_client(headers=headers)
    transport = streamable_http_client(PLAN["url"], http_client=http)
    info = types.Implementation(name="oas2mcp-tests", version="1")
    async with (
        http,
        Client(transport, mode=mode, elicitation_callback=answer, client_info=info) as client,
    ):
        tools = (await client.list_tools()).tools
        results = []
        for call in (PLAN["read"], PLAN["destructive"]):
            result = await client.call_tool(call["name"], call["arguments"])
            results.append(result.model_dump(mode="json", by_alias=True, exclude_none=True))
        seen = {"tools": [tool.name for tool in tools], "asked": ASKED}
        print(json.dumps({**seen, "read": results[0], "destructive": results[1]}))


def cause(error):
    """The innermost error of nested groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


try:
    asyncio.run(main())
except Exception as error:  # whatever it is, the test prints it
    print(json.dumps({"failed": repr(cause(error))}))
    sys.exit(1)
