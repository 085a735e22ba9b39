// Loaded before a program whose colours are wanted although its output goes into a pipe.
process.stdout.isTTY = true
