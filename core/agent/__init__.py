"""The agent: four read-only tools, the loop with its limits, the evidence ledger, the policies."""
