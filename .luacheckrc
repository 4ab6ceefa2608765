std = "lua51"
globals = { "redis" }
max_line_length = 120
