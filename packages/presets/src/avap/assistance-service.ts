/** A question over gRPC, as it is on the wire. */
export interface WireQuestion {
  readonly query: string
  readonly sessionId: string
}

/** A part of an answer over gRPC, as it is on the wire. */
export interface WireAnswer {
  readonly text: string
  readonly avapCode: string
  readonly isFinal: boolean
  readonly validationStatus: string
}

/** What the last message of an answer says. */
interface LastWords {
  readonly text: string
  /** The code that was validated. */
  readonly code: string
  readonly status: string
}

/** The gRPC service of the design: its names, and how its messages are written. */
export const assistanceService = {
  name: 'brunix.AssistanceEngine',
  /** Its definition, below `proto` of this package. */
  proto: 'brunix/assistance_engine.proto',
  /** The methods that answer: in one message, and with the text as it may be shown. */
  methods: { whole: 'AskAgent', stream: 'AskAgentStream' },
  /** The message that both take. */
  request: 'AgentRequest',
  /** A method that clients may know but that is not served: its messages are not specified. */
  refused: {
    name: 'EvaluateRAG',
    advice:
      'EvaluateRAG is not part of this service: it answers questions with AskAgent and AskAgentStream; recorded answers are checked with stickler check',
  },
  /** A message with text that may be shown. */
  part: (text: string): WireAnswer => ({ text, avapCode: '', isFinal: false, validationStatus: '' }),
  /** The last message of an answer. */
  last: ({ text, code, status }: LastWords): WireAnswer => ({ text, avapCode: code, isFinal: true, validationStatus: status }),
} as const
