import type { Budget, GatewayState, KeyState, UpstreamState } from '../../api/types.ts'
import { useServices } from '../../app/services.ts'
import { Link } from '../../components/link.tsx'
import { Meter } from '../../components/meter.tsx'
import { Panel } from '../../components/page.tsx'
import { Tag } from '../../components/pill.tsx'
import { upstreamHealth } from '../../components/upstream-health.ts'

/** The state of the gateway now: circuits of upstreams, what is left of budgets, and the store. */
export function Gateway({ state }: { readonly state: GatewayState }) {
  const limited = state.keys.filter(({ budgets }) => budgets.length > 0)
  return (
    <div class="tops gateway">
      <Panel
        title="Upstreams"
        actions={
          <Link to="/upstreams" class="more">
            All upstreams
          </Link>
        }
      >
        {state.upstreams.length === 0 && <p class="panel-empty quiet">No upstream is configured.</p>}
        <ul class="facts">
          {state.upstreams.map((upstream) => (
            <Upstream key={upstream.name} upstream={upstream} />
          ))}
        </ul>
      </Panel>
      <Panel
        title="Budgets"
        actions={
          <Link to="/keys" class="more">
            All keys
          </Link>
        }
      >
        {limited.length === 0 && <p class="panel-empty quiet">No key has a budget.</p>}
        <ul class="facts">
          {limited.flatMap((key) => key.budgets.map((budget) => <Left key={`${key.name} ${budget.period}`} of={key} budget={budget} />))}
        </ul>
      </Panel>
      <Store state={state} />
    </div>
  )
}

function Upstream({ upstream }: { readonly upstream: UpstreamState }) {
  const { name, breaker, breakerAt, calls, errors, lastError } = upstream
  const { format, now } = useServices()
  const note =
    breaker === 'open' && breakerAt !== undefined
      ? `opened ${format.ago(breakerAt, now.value)}`
      : lastError === undefined
        ? `${format.number(calls)} calls, no error`
        : `${format.number(errors)} errors of ${format.number(calls)} calls, last ${format.ago(lastError.at, now.value)}`
  return (
    <li class="fact">
      <span class="cut strong">
        <bdi>{format.visible(name)}</bdi>
      </span>
      <span class="cut quiet fact-note">{note}</span>
      <Tag {...upstreamHealth(upstream)} />
    </li>
  )
}

function Left({ of: { name }, budget }: { readonly of: KeyState; readonly budget: Budget }) {
  const { format } = useServices()
  const parts = [
    ...(budget.limitUsd === undefined ? [] : [{ used: budget.usedUsd + budget.heldUsd, limit: budget.limitUsd, write: format.money }]),
    ...(budget.limitTokens === undefined
      ? []
      : [
          {
            used: budget.usedTokens + budget.heldTokens,
            limit: budget.limitTokens,
            write: (tokens: number) => `${format.number(tokens)} tokens`,
          },
        ]),
  ]
  return (
    <>
      {parts.map(({ used, limit, write }) => (
        <li key={write(limit)} class="fact">
          <span class="cut strong">
            <bdi>{format.visible(name)}</bdi>
          </span>
          <span class="cut quiet fact-note">
            {write(Math.max(0, limit - used))} left of {write(limit)} a {format.visible(budget.period)}
          </span>
          <Meter used={used} limit={limit} label={`Budget of ${format.visible(name)}`} />
        </li>
      ))}
    </>
  )
}

/** The store and the parser, fact by fact as the gateway says them. */
function Store({ state }: { readonly state: GatewayState }) {
  const { format } = useServices()
  const facts = Object.entries(state.store ?? {}).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return (
    <Panel title="Records and gateway" note={`up ${format.span(state.uptimeMs)}`}>
      <dl class="pairs">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{format.visible(words(name))}</dt>
            <dd>{typeof value === 'number' ? format.measure(name, value) : format.visible(String(value))}</dd>
          </div>
        ))}
        {state.parser && (
          <div>
            <dt>parser</dt>
            <dd>{format.visible([state.parser.kind, state.parser.state].filter((one) => one !== undefined).join(', '))}</dd>
          </div>
        )}
      </dl>
    </Panel>
  )
}

/** A name of the API in words: `journalLagMs` is "journal lag". */
function words(name: string): string {
  return name.replace(/(?:Ms|Bytes|At)$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
