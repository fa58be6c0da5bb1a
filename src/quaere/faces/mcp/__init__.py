"""The engine as a server of the Model Context Protocol, over stdio and over HTTP."""
