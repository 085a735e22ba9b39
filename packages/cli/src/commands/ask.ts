import type { QueryType } from '@stickler/ask/pipeline'
import { InvalidArgumentError } from 'commander'
import type { AskFlags } from '../documents/ask-documents.ts'
import { UsageError } from '../errors.ts'
import type { CommandRecord } from './command.ts'
import { addUpstreamOptions } from './options.ts'

/** `stickler ask`. */
export const ask: CommandRecord = {
  name: 'ask',
  summary: 'answer a question from indexed documents, with sources',
  arguments: { '[question]': 'what to ask, or - for standard input' },
  description:
    'Searches the index built by `stickler index`, has a model answer from the results, and checks the citations.\n' +
    'Without a configured upstream, an offline demo model quotes the best-matching passage.\n' +
    'Exits with 0 when the answer keeps its contract or could not be checked (with a warning), 1 when it breaks it, 2 for an invalid question or an empty index, 3 when there is no answer.',
  async options(command) {
    const { queryTypes } = await import('@stickler/ask/internal')
    const readType = (written: string): QueryType => {
      const type = queryTypes.find((one) => one === written.toUpperCase())
      if (type === undefined) throw new InvalidArgumentError(`The types are ${queryTypes.join(', ')}.`)
      return type
    }
    command.option('--type <type>', `what the question wants: ${queryTypes.join(', ')}; default: told by its words`, readType)
    addUpstreamOptions(command)
      .option('--demo', 'use the demo model, regardless of the configuration')
      .option('--config <file>', 'the configuration, in place of ./stickler.yaml')
      .option('--collection <name>', 'the collection, in place of that of the configuration')
      .option('--trace', 'show the nodes that the question passed, with chunks, their ranks in both searches, and verdicts')
      .option('--no-stream', 'print the answer only when it is complete')
      .option('--json', 'print the reply of /ask as JSON, with the upstream that answered, and with --trace its nodes')
      .option('--raw', 'do not escape control characters in an answer written to a pipe or file')
      .allowExcessArguments()
  },
  async run([question, ...rest], flags: AskFlags, { cli }) {
    if (rest.length > 0)
      throw new UsageError('too many arguments: put the question in quotes; to ask about a folder, index it first: stickler index FOLDER')
    return (await import('../documents/ask-documents.ts')).askDocuments(question, flags, cli)
  },
}
