import { type AskProvider, type AskService, extractiveRunner, openAsk } from '@stickler/ask'
import { pipelines, preparePipeline, relevanceJudge } from '@stickler/ask/pipeline'
import type { RetrievalConfig } from '@stickler/gateway'
import type { Cli } from '../cli.ts'
import { lazyParser } from '../lazy-parser.ts'
import type { OpenIndex } from '../retrieval/open-index.ts'
import { chooseUpstream, type UpstreamFlags } from '../run/choose-upstream.ts'
import { UsageError } from '../usage-error.ts'

/** What answers questions, for as long as the command runs. */
export interface Answering {
  readonly service: AskService
  close(): Promise<void>
}

type AnsweringFlags = UpstreamFlags & { readonly demo?: true; readonly config?: string }

/** Puts together what answers: the pipeline over the index, and the model that the command line or the configuration names. */
export async function openAnswering(open: OpenIndex, flags: AnsweringFlags, cli: Cli): Promise<Answering> {
  const { settings, config, embedder, retriever } = open
  const { relevance, classifier, reformulation } = settings
  const parser = lazyParser(flags.config, cli.io)
  const provider = providerOf(flags, open, cli)
  const helper = ({ upstream, model }: NonNullable<RetrievalConfig['classifier']>): AskProvider =>
    askedAt({ upstream, ...(model === undefined ? {} : { model }) }, open, cli)
  const prepare = preparePipeline({
    pipeline: pipelineOf(config?.value.ask?.pipeline),
    retriever,
    chunks: settings.chunks,
    relevance: relevance.strategy === 'llm' ? relevanceJudge() : relevanceJudge({ ...relevance, embedder }),
  })
  const [classifies, words, judges] = [classifier, reformulation, relevance.strategy === 'llm' ? relevance.model : undefined].map(
    (choice) => (choice === undefined ? undefined : helper(choice)),
  )
  const service = openAsk({
    providers: [provider],
    pipeline: {
      ports: { parser },
      prepare: (request, modelOf) =>
        prepare({
          ...request,
          ...(classifies && { classifier: modelOf(classifies) }),
          ...(words && { reformulation: modelOf(words) }),
          ...(judges && { relevance: relevanceJudge({ strategy: 'llm', model: modelOf(judges) }) }),
        }),
    },
  })
  return { service, close: () => parser.close() }
}

function pipelineOf(name: string | undefined): (typeof pipelines)[string] {
  const found = name === undefined ? Object.values(pipelines)[0] : pipelines[name]
  if (found === undefined) throw new UsageError(`there is no pipeline ${name ?? ''}`)
  return found
}

function providerOf(flags: AnsweringFlags, open: OpenIndex, cli: Cli): AskProvider {
  const upstreams = open.config?.value.upstreams ?? []
  const names = flags.baseUrl ?? flags.upstream
  const chosen = names ?? flags.model ?? flags.keyEnv
  if (flags.demo && chosen !== undefined)
    throw new UsageError('--demo takes the place of a model; leave out --upstream, --base-url, --model and --key-env')
  if (flags.demo || (chosen === undefined && upstreams.length === 0)) {
    if (!flags.demo) cli.note('no upstream is configured: a demo model quotes the sentences that fit best')
    return { name: 'demo', model: 'extractive', runner: extractiveRunner() }
  }
  const [preferred] = open.config?.value.ask?.upstreams ?? []
  const usual = names === undefined && preferred !== undefined ? { ...flags, upstream: preferred } : flags
  return askedAt(usual, open, cli)
}

function askedAt(flags: UpstreamFlags, { config }: OpenIndex, { io }: Cli): AskProvider {
  const { runner } = chooseUpstream(flags, config, io)
  const upstreams = config?.value.upstreams ?? []
  const upstream = flags.baseUrl === undefined ? (upstreams.find(({ name }) => name === flags.upstream) ?? upstreams[0]) : undefined
  const configured = upstream !== undefined && 'model' in upstream ? upstream.model : undefined
  const name = upstream?.provider ?? upstream?.name ?? 'command line'
  return { name, model: flags.model ?? configured ?? name, runner }
}
