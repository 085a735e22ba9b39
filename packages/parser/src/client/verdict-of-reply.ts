import { ParserUnavailable, type SyntaxFault, type SyntaxVerdict } from '@stickler/core/syntax'
import { verdictOf } from '../verdict-of.ts'
import { oneLine } from '../wire/one-line.ts'
import type { WireReply } from '../wire/parser-proto.ts'

/** A model acts on the first faults; no more of them are read. */
export const mostFaults = 200
const longestMessage = 500

/** Reads a reply with suspicion: the service may be another program, and its positions and texts may be anything. */
export function verdictOfReply({ verdict, trace }: WireReply, source: string): SyntaxVerdict {
  switch (verdict) {
    case 'VALID':
      return { verdict: 'valid' }
    case 'UNSUPPORTED':
      return { verdict: 'unsupported' }
    case 'INVALID':
      return verdictOf(trace.length > 0 ? trace.slice(0, mostFaults).map(readFault) : [unplaced], source)
    default:
      throw new ParserUnavailable('the parser service replied without a verdict', 'fault', undefined, 'protocol')
  }
}

const unplaced: SyntaxFault = {
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
  message: 'The code does not parse; the parser does not say where.',
}

function readFault({ line, column, endLine, endColumn, message, suggestion }: WireReply['trace'][number]): SyntaxFault {
  const advice = oneLine(suggestion, longestMessage)
  const place = { line, column, endLine, endColumn }
  return {
    ...place,
    message: oneLine(message, longestMessage) || 'The code does not parse here.',
    ...(advice === '' ? {} : { suggestion: advice }),
  }
}
