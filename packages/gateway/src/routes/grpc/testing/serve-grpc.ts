import type { AskReply } from '@stickler/ask'
import { generatedCode } from '@stickler/ask/internal'
import { pipelines } from '@stickler/ask/pipeline'
import { systemClock } from '@stickler/core/internal'
import { createKeyring } from '../../../front/access/keys.ts'
import type { AskCaller } from '../../ask/question.ts'
import type { CallEnd, GrpcQuestion } from '../grpc-call.ts'
import { openQuestionServer, type QuestionServer, type QuestionServerOptions } from '../question-server.ts'
import { type GrpcClient, grpcClient } from './grpc-client.ts'

/** What a server is played with. */
export interface Script {
  /** Yields the text, and returns the reply. */
  answer(question: GrpcQuestion, caller: AskCaller): AsyncGenerator<string, AskReply>
  readonly keys?: string
  readonly operators?: string
  readonly options?: Partial<QuestionServerOptions>
}

/** A server with a client of it, and what they did. */
interface Served {
  readonly server: QuestionServer
  readonly client: GrpcClient
  readonly asked: { readonly question: GrpcQuestion; readonly caller: AskCaller }[]
  readonly ended: { readonly caller: AskCaller; readonly end: CallEnd }[]
  readonly refused: unknown[]
}

/** Serves scripted answers; what is pushed to `closing` is to be called at the end. */
export async function serveGrpc({ answer, keys = '', operators = '', options = {} }: Script, closing: (() => unknown)[]): Promise<Served> {
  const asked: Served['asked'] = []
  const ended: Served['ended'] = []
  const refused: unknown[] = []
  let count = 0
  const server = await openQuestionServer({
    host: '127.0.0.1',
    port: 0,
    messageLimit: 4 * 1024 * 1024,
    inFlight: () => 8,
    clock: systemClock,
    newId: () => `id-${++count}`,
    keys: createKeyring({ clients: keys, operators }, Date.now),
    answer: async function* (caller, question, isStream) {
      asked.push({ question, caller })
      const steps = answer(question, caller)
      if (isStream) return yield* steps
      for (;;) {
        const step = await steps.next()
        if (step.done) return step.value
      }
    },
    codeOf: (answer) => Object.values(pipelines).map((pipeline) => generatedCode(answer, pipeline))[0] ?? '',
    refused: async (_caller, _query, thrown) => void refused.push(thrown),
    ended: (caller, end) => void ended.push({ caller, end }),
    ...options,
  })
  closing.push(() => server.close(0))
  const client = grpcClient(server.url)
  closing.push(client.close)
  return { server, client, asked, ended, refused }
}

/** A reply with an answer. */
export function answered(answer: string, more: { readonly type?: string; readonly validation_status?: string } = {}): AskReply {
  return {
    ok: true,
    status: 200,
    verdict: 'valid',
    upstream: 'up',
    envelope: { answer, type: 'RETRIEVAL', validation_status: '', ...more },
  } as unknown as AskReply
}

/** Yields pieces and ends with their sum. */
export function saying(pieces: readonly string[], more: Parameters<typeof answered>[1] = {}): Script['answer'] {
  return async function* () {
    yield* pieces
    return answered(pieces.join(''), more)
  }
}

/** Yields text until it is stopped, and reports when it is. */
export function endless(stopped: { count: number; reasons: unknown[] }, piece = 'word '): Script['answer'] {
  return async function* (_question, { signal }) {
    try {
      while (!signal.aborted) {
        yield piece
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      return { ok: false, status: 499, error: 'the question was withdrawn' }
    } finally {
      stopped.count++
      stopped.reasons.push(signal.reason)
    }
  }
}
