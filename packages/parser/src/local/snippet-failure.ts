import { ParserUnavailable } from '@stickler/core/validators'

/** Thrown when a snippet has ended the process that parsed it: it is too much for the parser, which serves the others as before. */
export class SnippetFailure extends ParserUnavailable {
  constructor(message: string) {
    super(message, 'too-hard')
  }
}
