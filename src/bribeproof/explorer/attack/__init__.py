"""The page "Attack it": a crowd, a strategy of its bribed reporters, and what each rule loses."""
