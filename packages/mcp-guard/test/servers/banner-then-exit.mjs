process.stdout.write("Usage: SERVER TEXT\n", () => process.exit(1));
