import { relaySnippets } from './relay-snippets.ts'

// The entry of a parser process: it is only ever loaded as one.
if (process.send !== undefined) relaySnippets(process)
