"""What models can call: artifacts, recall, contexts; as answers to tool calls and as an MCP server."""
