import { type AskService, type AskSettings, openAsk } from '@stickler/ask'
import { extractiveRunner } from '@stickler/ask/internal'
import { pipelines, preparePipeline, relevanceJudge } from '@stickler/ask/pipeline'
import type { AskModel } from '@stickler/core/validators'
import type { RetrievalConfig } from '@stickler/gateway/internal'
import type { Cli } from '../cli.ts'
import { UsageError } from '../errors.ts'
import { commandParser } from '../ports/open-ports.ts'
import { chooseUpstream, type UpstreamFlags } from '../run/choose-upstream.ts'
import type { OpenRunner } from '../run/load-runner.ts'
import type { OpenIndex } from './open-index.ts'

/** Answers questions while the command runs. */
interface Answering {
  readonly service: AskService
  close(): Promise<void>
}

type AnsweringFlags = UpstreamFlags & { readonly demo?: true; readonly config?: string }

/** Builds the pipeline over the index and the model named by the command line or the configuration. */
export async function openAnswering(open: OpenIndex, flags: AnsweringFlags, cli: Cli): Promise<Answering> {
  const { settings, config, embedder, retriever } = open
  const { relevance, classifier, reformulation } = settings
  const parser = commandParser(flags.config, cli.io)
  const provider = await providerOf(flags, open, cli)
  const helper = async (choice: RetrievalConfig['classifier']): Promise<OpenProvider | undefined> =>
    choice && askedAt({ upstream: choice.upstream, ...(choice.model === undefined ? {} : { model: choice.model }) }, open, cli)
  const [classifies, words, judges] = await Promise.all([
    helper(classifier),
    helper(reformulation),
    helper(relevance.strategy === 'llm' ? relevance : undefined),
  ])
  const prepare = preparePipeline({
    pipeline: pipelineOf(config?.value.ask?.pipeline),
    retriever,
    chunks: settings.chunks,
    relevance: relevanceJudge({ ...relevance, embedder, model: judges && modelOf(judges) }),
    ...(classifies && { classifier: modelOf(classifies) }),
    ...(words && { reformulation: modelOf(words) }),
  })
  const service = openAsk({ ...provider, pipeline: { ports: { parser: parser.port }, prepare } })
  const opened = [provider, classifies, words, judges]
  return { service, close: async () => void (await Promise.all([parser.close(), ...opened.map((one) => one?.close())])) }
}

function pipelineOf(name: string | undefined): (typeof pipelines)[string] {
  const found = name === undefined ? Object.values(pipelines)[0] : pipelines[name]
  if (found === undefined) throw new UsageError(`there is no pipeline ${name ?? ''}`)
  return found
}

/** A model by which questions are answered, whose connections are closed at the end. */
type OpenProvider = Pick<AskSettings, 'runner' | 'provider' | 'model' | 'upstream'> & Pick<OpenRunner, 'close'>

/** A model that answers one prompt with text. */
function modelOf({ runner }: OpenProvider): AskModel {
  return async (prompt, signal = new AbortController().signal) => {
    let text = ''
    for await (const event of runner.run(undefined, prompt, { signal, stream: false })) if (event.type === 'text') text += event.text
    return text
  }
}

async function providerOf(flags: AnsweringFlags, open: OpenIndex, cli: Cli): Promise<OpenProvider> {
  const upstreams = open.config?.value.upstreams ?? []
  const names = flags.baseUrl ?? flags.upstream
  const chosen = names ?? flags.model ?? flags.keyEnv
  if (flags.demo && chosen !== undefined)
    throw new UsageError('--demo replaces the model; omit --upstream, --base-url, --model and --key-env')
  if (flags.demo || (chosen === undefined && upstreams.length === 0)) {
    if (!flags.demo) cli.note('no upstream is configured: a demo model quotes the best-matching passage')
    return { provider: 'demo', model: 'extractive', runner: extractiveRunner(), close: async () => {} }
  }
  const [preferred] = open.config?.value.ask?.upstreams ?? []
  const usual = names === undefined && preferred !== undefined ? { ...flags, upstream: preferred } : flags
  return askedAt(usual, open, cli)
}

async function askedAt(flags: UpstreamFlags, { config }: OpenIndex, { io }: Cli): Promise<OpenProvider> {
  const { runner, close } = await chooseUpstream(flags, config, io)
  const upstreams = config?.value.upstreams ?? []
  const upstream = flags.baseUrl === undefined ? (upstreams.find(({ name }) => name === flags.upstream) ?? upstreams[0]) : undefined
  const provider = upstream?.provider ?? upstream?.name ?? 'command line'
  return { provider, model: flags.model ?? upstream?.model ?? provider, ...(upstream && { upstream: upstream.name }), runner, close }
}
