import type { Run } from '../../api/run-types.ts'
import type { ShadowVerdict } from '../../api/types.ts'
import { pathOf } from '../../app/router.ts'
import { useServices } from '../../app/services.ts'
import { Text } from '../../components/code.tsx'
import { CopyId } from '../../components/copy.tsx'
import { type Fact, Facts } from '../../components/facts.tsx'
import { Link } from '../../components/link.tsx'
import { Pill } from '../../components/pill.tsx'
import { Ago } from '../../components/time.tsx'
import { reasonOf } from './run-words.ts'

/** How a run ended and why, and everything that is a fact of it. */
export function RunFacts({ run }: { readonly run: Run }) {
  const { format, me } = useServices()
  const { failure, usage, contract, session, upstream, upstreamModel, counts } = run
  const isOperator = me.value?.role !== 'client'
  const served = upstream === '' ? '' : upstreamModel === run.model ? upstream : `${upstream} (${upstreamModel})`
  const facts: readonly Fact[] = [
    ['When', <Ago key="at" at={run.at} />],
    ['Duration', format.duration(run.ms)],
    ['Added to the last call', run.addedMs === undefined ? undefined : format.duration(run.addedMs)],
    ['First text', run.firstTextMs === undefined ? undefined : format.duration(run.firstTextMs)],
    ['Model', <Text key="model">{run.model}</Text>],
    ['Upstream', served === '' ? undefined : <Text key="upstream">{served}</Text>],
    ['Contract', contract !== '' && (isOperator ? <ContractLink name={contract} /> : <Text key="contract">{contract}</Text>)],
    ['API', <Text key="api">{`${run.api}${run.stream ? ', streamed' : ''}`}</Text>],
    ['HTTP status', run.httpStatus],
    ['Attempts', counts.attempts],
    ['Tokens', format.usage({ promptTokens: usage.promptTokens, completionTokens: usage.completionTokens })],
    ['Cost', usage.cost === undefined ? undefined : `${format.money(usage.cost)}${usage.estimated ? ', estimated' : ''}`],
    ['Key', run.key !== '' && <Text key="key">{run.key}</Text>],
    ['Session', session && <SessionLink name={session} />],
    ['Skipped checks', run.skipped && <Text key="skipped">{run.skipped}</Text>],
    ...Object.entries(run.facts ?? {}).map(([name, value]): Fact => [format.visible(name), <Text key={name}>{value}</Text>]),
    ['Run', <CopyId key="id" id={run.id} />],
    ['Request', <CopyId key="request" id={run.requestId} />],
  ]
  return (
    <div class="verdict">
      <p class="verdict-line">
        <Pill status={run.status} />
        <Text>{reasonOf(run)}</Text>
        {run.fallback && <span class="quiet">The client got the fallback of the contract.</span>}
      </p>
      {failure !== undefined && (
        <p class="verdict-failure">
          <strong>
            <Text>{failure.kind}</Text>
            {failure.status === undefined ? '' : ` ${failure.status}`}
          </strong>{' '}
          <Text>{failure.message}</Text>
        </p>
      )}
      <Facts facts={facts} />
      {run.shadow && <Shadow verdict={run.shadow} isLinked={isOperator} />}
    </div>
  )
}

function ContractLink({ name }: { readonly name: string }) {
  return (
    <Link to={pathOf('contracts', name)} class="text-link">
      <Text>{name}</Text>
    </Link>
  )
}

/** What the shadow contract says of the first answer, and where the contract of the route differs. */
function Shadow({ verdict, isLinked }: { readonly verdict: ShadowVerdict; readonly isLinked: boolean }) {
  const { contract, status, liveStatus, codes, liveCodes } = verdict
  const isSame = status === liveStatus && codes === '' && liveCodes === ''
  return (
    <p class="verdict-line shadow">
      <span class="quiet">First answer, by the shadow contract</span>
      {isLinked ? <ContractLink name={contract} /> : <Text>{contract}</Text>}
      <Pill status={status} />
      {isSame && <span class="quiet">as by the live contract</span>}
      {!isSame && <span class="quiet">by the live contract</span>}
      {!isSame && <Pill status={liveStatus} />}
      {codes !== '' && <Codes title="only shadow" codes={codes} />}
      {liveCodes !== '' && <Codes title="only live" codes={liveCodes} />}
    </p>
  )
}

function Codes({ title, codes }: { readonly title: string; readonly codes: string }) {
  return (
    <span>
      <span class="quiet">{title}:</span> <Text>{codes.split(',').join(', ')}</Text>
    </span>
  )
}

function SessionLink({ name }: { readonly name: string }) {
  return (
    <Link to={pathOf('sessions', name)} class="text-link">
      <Text>{name}</Text>
    </Link>
  )
}
