#: The version of this package, which requests name in `user-agent`.
VERSION = "0.1.0"
