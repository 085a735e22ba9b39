import { ParserUnavailable } from '@stickler/core/syntax'

/** Thrown when a snippet has ended the process that parsed it. */
export class SnippetFailure extends ParserUnavailable {}
