// Imported (node --import) by programs that a launcher starts with an IPC channel: they end when the launcher is gone, even if it
// was killed and could hand on no signal.
process.once("disconnect", () => process.exit(1));
// Listening must not keep a program alive that is done.
process.channel?.unref();
