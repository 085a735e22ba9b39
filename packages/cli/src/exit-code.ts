/** How the command ends. */
export const exitCode = {
  ok: 0,
  /** An answer breaks its contract, or a line of input could not be judged. */
  violated: 1,
  /** The command line, a file or the configuration is wrong. */
  usage: 2,
  /** The model could not be asked, or the store or gateway that runs are read from. */
  upstream: 3,
  /** Node is too old; `bin/stickler.js` says so before anything is imported. */
  oldNode: 69,
  /** A fault of Stickler itself. */
  internal: 70,
  /** Ctrl-C and SIGTERM, as shells count them. */
  interrupted: 130,
  terminated: 143,
  /** Nobody reads what is written, as shells count it. */
  brokenPipe: 141,
} as const
