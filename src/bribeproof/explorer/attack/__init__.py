"""The room "Attack it": a crowd, a way to bribe it, and what each rule makes of it."""
