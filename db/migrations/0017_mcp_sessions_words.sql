-- What clients said of themselves at `initialize`, up to a megabyte each: nothing ever read it, and nothing writes it any more.
update mcp_sessions set client_capabilities = null, client_version = null
  where client_capabilities is not null or client_version is not null;
