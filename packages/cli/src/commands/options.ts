import { type Command, InvalidArgumentError } from 'commander'

/** Reads an option that is a whole number within bounds. */
export function wholeNumber(least: number, most: number): (written: string) => number {
  return (written) => {
    const value = /^\d{1,12}$/.test(written) ? Number(written) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`)
  }
}

/** Adds the options that choose a model, for commands that ask one. */
export function addUpstreamOptions(command: Command): Command {
  return command
    .option('--upstream <name>', 'an upstream of the configuration; default: the first')
    .option('--base-url <url>', 'an OpenAI-compatible endpoint, such as https://api.openai.com/v1')
    .option('--model <name>', 'the model, in place of the configured one')
    .option('--key-env <variable>', 'the environment variable that holds the key for --base-url')
}
