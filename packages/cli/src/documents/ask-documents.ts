import type { AskEnvelope, AskRefused, AskReply, AskService } from '@stickler/ask'
import { degradedNodes } from '@stickler/ask/internal'
import type { NodeTrace, QueryType } from '@stickler/ask/pipeline'
import { RetrieverUnavailable } from '@stickler/ask/retrieval'
import type { Cli } from '../cli.ts'
import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import { readText } from '../inputs/inputs.ts'
import { AnswerText } from '../run/answer-text.ts'
import type { UpstreamFlags } from '../run/choose-upstream.ts'
import { printable, safeJson } from '../terminal/printable.ts'
import { clip, count } from '../terminal/text.ts'
import { openAnswering } from './open-answering.ts'
import { type IndexFlags, type OpenIndex, openIndex } from './open-index.ts'

/** The options of `stickler ask`. */
export interface AskFlags extends IndexFlags, UpstreamFlags {
  readonly type?: QueryType
  readonly demo?: true
  readonly stream: boolean
  readonly json?: true
  readonly raw?: true
  readonly trace?: true
}

/** Answers a question from an index; resolves to the exit code. */
export async function askDocuments(written: string | undefined, flags: AskFlags, cli: Cli): Promise<number> {
  const question = await readQuestion(written, cli)
  let open: OpenIndex | undefined
  try {
    open = await openIndex(flags, cli.io)
    await needDocuments(open, flags.type, cli.signal)
    const answering = await openAnswering(open, flags, cli)
    try {
      return await answer(question, answering.service, flags, cli)
    } finally {
      await answering.close()
    }
  } catch (error) {
    cli.signal.throwIfAborted()
    if (!(error instanceof RetrieverUnavailable)) throw error
    cli.note(error.message)
    return exitCode.upstream
  } finally {
    await open?.close()
  }
}

async function readQuestion(written: string | undefined, { io, signal }: Cli): Promise<string> {
  if (written === undefined && io.stdin.isTTY) throw new UsageError('give a question: stickler ask "…", or - for standard input')
  const isPiped = written === undefined || written === '-'
  const text = isPiped ? (await readText({ name: '<stdin>', open: () => io.stdin }, signal)).text : written
  if (text.trim() === '') throw new UsageError('the question is empty')
  return text.trim()
}

/** With an empty index, answers would have no sources. */
async function needDocuments({ engine, shown, settings }: OpenIndex, type: QueryType | undefined, signal: AbortSignal): Promise<void> {
  if (type === 'CONVERSATIONAL' || type === 'PLATFORM') return
  const { documents } = await engine.facts(signal)
  if (documents > 0) return
  throw new UsageError(
    `the index ${shown} has no documents in the collection ${settings.collection}; index some first: stickler index FOLDER`,
  )
}

async function answer(question: string, service: AskService, flags: AskFlags, cli: Cli): Promise<number> {
  const request = { question, ...(flags.type === undefined ? {} : { type: flags.type }), signal: cli.signal }
  const text = new AnswerText(cli.stdout, { raw: flags.raw === true })
  let reply: AskReply
  if (flags.json) reply = await service.ask(request)
  else if (flags.stream) {
    const stream = service.stream(request)
    for await (const piece of stream) await text.write(piece)
    reply = await stream.reply
  } else {
    reply = await service.ask(request)
    if (reply.ok) await text.write(reply.envelope.answer)
  }
  await text.end()
  cli.signal.throwIfAborted()
  await show(reply, flags, cli)
  return codeOf(reply)
}

async function show(reply: AskReply, flags: AskFlags, cli: Cli): Promise<void> {
  const { refusalBody } = await import('@stickler/ask')
  if (flags.json) {
    const body = reply.ok ? { ...reply.envelope, upstream: reply.upstream } : refusalBody(reply)
    await cli.stdout.write(`${safeJson(flags.trace ? { ...body, nodes: reply.nodes ?? [] } : body, 2)}\n`)
    if (!reply.ok && reply.failure !== undefined) cli.note(describeRefusal(reply))
    return
  }
  if (reply.ok) await cli.stdout.write(citedSources(reply.envelope))
  if (flags.trace) for (const line of describeNodes(reply.nodes ?? [])) cli.stderr.say(`${line}\n`)
  if (flags.trace && reply.ok) cli.stderr.say(`answered by ${printable(reply.upstream)}, model ${printable(reply.envelope.model)}\n`)
  const status = reply.ok ? reply.envelope.validation_status : undefined
  // An answer that could not be checked may still be right.
  const isUnknown = reply.ok && reply.verdict === 'unchecked'
  if (status) cli.note(isUnknown ? `the answer could not be checked: ${status}` : `the answer breaks its contract: ${status}`)
  // Replies never include the reason; operators see it here.
  const told = degradedNodes(reply.nodes ?? []).filter(({ reason }) => reason !== undefined)
  for (const reason of new Set(told.map((one) => one.reason ?? ''))) cli.note(reason)
  const isTold = (kind: string): boolean =>
    kind === 'relevance_fallback' || (kind.startsWith('retrieval_') && told.some(({ node }) => node === 'retrieve'))
  const warnings = reply.ok ? reply.envelope.validation.warnings : []
  for (const { kind, detail } of warnings) if (!isTold(kind)) cli.note(detail)
  if (!reply.ok) cli.note(describeRefusal(reply))
}

function codeOf(reply: AskReply): number {
  if (reply.ok) return reply.verdict === 'unresolved' ? exitCode.violated : exitCode.ok
  if (reply.status === 400 || reply.status === 413) return exitCode.usage
  return reply.status === 422 || reply.status === 424 ? exitCode.violated : exitCode.upstream
}

/** Why there is no answer. Replies hide what the provider said; operators see it here. */
function describeRefusal({ failure, upstream, error }: AskRefused): string {
  if (failure === undefined) return error
  const { status, message } = failure
  const advice = status === 401 || status === 403 ? '; check its key: apiKeyEnv of the upstream, or --key-env beside --base-url' : ''
  return `${upstream === undefined ? '' : `${clip(upstream)}: `}${clip(message, 500)}${advice}`
}

/** What each node of a question did, line by line. */
function describeNodes(nodes: readonly NodeTrace[]): string[] {
  return nodes.flatMap((trace) => {
    const { chunks = [], degraded } = trace
    return [
      `${trace.node.padEnd(24)} ${trace.ms.toFixed(1).padStart(8)} ms  ${said(trace).join(', ')}`.trimEnd(),
      ...chunks.map(({ urn, ranks = {} }, index) => `  ${index + 1}. ${clip(placeOf(urn))}${ranksOf(ranks)}`),
      ...(degraded === undefined ? [] : [`  ${clip(degraded)}`]),
    ]
  })
}

/** Fused scores mean little on their own; ranks in each search are shown instead. */
function ranksOf({ text, vector }: { readonly text?: number; readonly vector?: number }): string {
  const places = [...(text === undefined ? [] : [`text ${text}`]), ...(vector === undefined ? [] : [`vector ${vector}`])]
  return places.length === 0 ? '' : `  (${places.join(', ')})`
}

function said({ type, query, chunks, left_out: leftOut, relevance, attempts, verdict }: NodeTrace): string[] {
  return [
    ...(type === undefined ? [] : [`${type.is} by ${type.by}`]),
    ...(query === undefined ? [] : [clip(query, 200)]),
    ...(chunks === undefined ? [] : [count(chunks.length, 'chunk')]),
    ...(leftOut === undefined ? [] : [`${leftOut} omitted to keep the prompt within its limit`]),
    ...(relevance === undefined ? [] : [relevanceOf(relevance)]),
    ...(attempts === undefined ? [] : [count(attempts, 'attempt')]),
    ...(verdict === undefined ? [] : [verdict]),
  ]
}

function relevanceOf({ relevant, strategy, score, fallback }: NonNullable<NodeTrace['relevance']>): string {
  const figure = score === undefined ? '' : ` ${score.toFixed(2)}`
  return `${relevant ? 'relevant' : 'not relevant'} (${strategy}${figure})${fallback === undefined ? '' : `: ${clip(fallback, 200)}`}`
}

/** The sources that an answer cites, one below the other, by their numbers. */
function citedSources({ citations, sources_flat: sources }: Pick<AskEnvelope, 'citations' | 'sources_flat'>): string {
  const cited = [...new Set(citations.map(({ source_index: index }) => index))].sort((a, b) => a - b)
  const lines = cited.flatMap((index) => {
    const source = sources[index]
    return source === undefined ? [] : [`[${index + 1}] ${clip(placeOf(source.urn))}`]
  })
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`
}

/** A passage as `path:from-to`, which terminals and editors link: `docs/a.md:10-42`. */
function placeOf(urn: string): string {
  const lines = /#L(\d+)(?:C\d+)?(?:-L(\d+)(?:C\d+)?)?$/.exec(urn)
  if (lines === null) return urn
  const [, first = '', last = first] = lines
  return `${urn.slice(0, lines.index)}:${first}${first === last ? '' : `-${last}`}`
}
