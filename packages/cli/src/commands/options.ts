import type { Command } from 'commander'

/** Adds the options that choose a model, for commands that ask one. */
export function addUpstreamOptions(command: Command): Command {
  return command
    .option('--upstream <name>', 'an upstream of the configuration; default: the first')
    .option('--base-url <url>', 'an OpenAI-compatible endpoint, such as https://api.openai.com/v1')
    .option('--model <name>', 'the model, in place of the configured one')
    .option('--key-env <variable>', 'the environment variable that holds the key for --base-url')
}
