import { ParserUnavailable } from '@stickler/core/syntax'

/** Thrown when a snippet has ended the thread that parsed it. */
export class SnippetFailure extends ParserUnavailable {}
