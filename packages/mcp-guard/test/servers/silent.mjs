// Takes everything, answers nothing, and stays when its input ends and when it is asked to go.
process.stdin.resume();
process.on("SIGTERM", () => {});
setInterval(() => {}, 1_000);
