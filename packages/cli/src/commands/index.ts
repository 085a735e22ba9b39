import type { IndexCommandFlags } from '../documents/index-folders.ts'
import type { CommandRecord } from './command.ts'

/** `stickler index`. */
export const index: CommandRecord = {
  name: 'index',
  summary: 'index documents for `stickler ask` and pipelines',
  arguments: { '<folder...>': 'folders, or single files' },
  description:
    'Updates an index from folders of Markdown, text and code: only changed files are read, and deleted files are removed.\n' +
    'An interrupted run is resumed by the next one. Without a configuration the index is .stickler/index.db.\n' +
    'Exits with 0 when the index is up to date, 2 for an invalid command line or configuration, 3 when the index or the embeddings cannot be reached.',
  options: (command) =>
    command
      .option('--config <file>', 'configuration file; default: ./stickler.yaml')
      .option('--collection <name>', 'the collection, instead of the configured one')
      .option('--rebuild', 'empty the collection first, for instance to change the embeddings')
      .option('--dry-run', 'only report what would be done')
      .option('--quiet', 'print only errors')
      .option('--json', 'print what was done as JSON'),
  run: async (folders, flags: IndexCommandFlags, { cli }) =>
    (await import('../documents/index-folders.ts')).indexFolders(folders, flags, cli),
}
