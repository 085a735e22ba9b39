/** Exit codes. */
export const exitCode = {
  ok: 0,
  /** An answer breaks its contract, or a line of input could not be judged. */
  violated: 1,
  /** The command line, a file or the configuration is wrong. */
  usage: 2,
  /** The model, or the store or gateway that runs are read from, could not be reached. */
  upstream: 3,
  /** Node is too old; `bin/stickler.js` says so before anything is imported. */
  oldNode: 69,
  /** An internal error. */
  internal: 70,
  /** Ctrl-C and SIGTERM, as shells report them. */
  interrupted: 130,
  terminated: 143,
  /** The output was closed, as shells report it. */
  brokenPipe: 141,
} as const
