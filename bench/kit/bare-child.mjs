// The floor of a project's process: a channel, and an answer to the first word.
process.on("disconnect", () => process.exit(0));
process.on("message", () => process.send({ type: "ready" }));
