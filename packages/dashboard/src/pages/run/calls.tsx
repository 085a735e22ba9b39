import { useMemo } from 'preact/hooks'
import type { Certificate, Issue, ToolCall } from '../../api/run-types.ts'
import { useServices } from '../../app/services.ts'
import { Code, Text } from '../../components/code.tsx'
import { MarkedText, useReplay } from '../../components/marked-text.tsx'
import { Tag } from '../../components/pill.tsx'
import { formatJson } from '../../format/format-json.ts'

/** What a list of tool calls takes. */
interface CallsProps {
  readonly calls: readonly ToolCall[] | undefined
  /** The same as the model wrote them, where repairs may have changed them. */
  readonly written?: readonly ToolCall[] | undefined
  readonly issues: readonly Issue[]
  /** Issues that repairs have fixed. */
  readonly fixed?: readonly Issue[]
  readonly repairs?: readonly Certificate[]
  /** What they are calls of, for screen readers. */
  readonly of: string
}

const nothing: readonly never[] = []

/** The tool calls of an answer, each with its arguments, issues and repairs. */
export function Calls({ calls = nothing, written, issues, fixed = nothing, repairs = nothing, of }: CallsProps) {
  if (calls.length === 0) return null
  const more = calls.at(-1)?.more ?? 0
  // Calls that were text are not among those that the model made.
  const before = written?.length === calls.length ? written : undefined
  return (
    <section class="calls" aria-label={`Tool calls of ${of}`}>
      <h3 class="finding-title">
        Tool calls <span class="quiet">{calls.length + more}</span>
      </h3>
      <ol>
        {calls.map((call, at) => (
          <Call
            key={at}
            call={call}
            written={before?.[at]}
            label={`Arguments of tool call ${at + 1} of ${of}`}
            issues={issuesOf(issues, at)}
            fixed={issuesOf(fixed, at)}
            repairs={repairs.filter((repair) => repair.in?.call === at)}
          />
        ))}
      </ol>
      {more > 0 && <p class="quiet note">{more} more calls are not kept.</p>}
    </section>
  )
}

/** The issues at a call, by their path: `tool_calls`, its number, and the place in it. */
function issuesOf(issues: readonly Issue[], call: number): readonly Issue[] {
  return issues.filter(({ path }) => path?.[0] === 'tool_calls' && path[1] === call)
}

interface CallProps {
  readonly call: ToolCall
  readonly written: ToolCall | undefined
  readonly label: string
  readonly issues: readonly Issue[]
  readonly fixed: readonly Issue[]
  readonly repairs: readonly Certificate[]
}

function Call({ call, written, label, issues, fixed, repairs }: CallProps) {
  const { format } = useServices()
  const inArguments = useMemo(() => repairs.flatMap(({ in: part, ...repair }) => (part?.part === 'arguments' ? [repair] : [])), [repairs])
  const texts = useReplay(written?.arguments, inArguments, call.arguments)
  const formatted = useMemo(() => formatJson(call.arguments), [call.arguments])
  const isChanged = inArguments.length > 0 && texts.isExact && call.cut === undefined
  return (
    <li class="call">
      <span class="finding-head">
        <code class="call-name">
          {written !== undefined && written.name !== call.name && (
            <span class="change">
              <del>
                <Text>{written.name}</Text>
              </del>{' '}
            </span>
          )}
          <Text>{call.name === '' ? '(no name)' : call.name}</Text>
        </code>
        {call.cut !== undefined && <Tag>{`first ${format.number(call.arguments.length)} of ${format.number(call.cut)} characters`}</Tag>}
        {call.cut === undefined && formatted === undefined && call.arguments !== '[hidden]' && <Tag tone="unresolved">not JSON</Tag>}
        {call.arguments === '[hidden]' && <span class="quiet">not kept, because the contract looks for secrets</span>}
      </span>
      {isChanged ? (
        <MarkedText label={label} texts={texts} view="changes" issues={nothing} repairs={inArguments} />
      ) : (
        call.arguments !== '[hidden]' && <Code text={formatted ?? call.arguments} label={label} most={4000} />
      )}
      {repairs.map((repair, at) => (
        <CallRepair key={at} repair={repair} />
      ))}
      {[...issues.map((issue) => ({ issue, isFixed: false })), ...fixed.map((issue) => ({ issue, isFixed: true }))].map(
        ({ issue, isFixed }, at) => (
          <p key={at} class="call-issue">
            <Tag tone={isFixed ? 'repaired' : issue.severity === 'error' ? 'unresolved' : 'unchecked'}>
              {isFixed ? 'fixed' : issue.severity}
            </Tag>
            <code>
              <Text>{format.place(undefined, issue.path?.slice(2))}</Text>
            </code>
            <Text>{issue.message === '' ? issue.code : issue.message}</Text>
          </p>
        ),
      )}
    </li>
  )
}

/** The certificate of one change in a call. */
function CallRepair({ repair }: { readonly repair: Certificate }) {
  const { format } = useServices()
  const { rule, class: kind, before, after, path, in: part, secret } = repair
  const place = format.place(undefined, path?.[0] === 'tool_calls' ? path.slice(3) : path)
  const short = (text: string): string => format.clamp(text, 300).shown.replaceAll('\n', '↵')
  return (
    <p class="call-issue">
      <Tag tone={kind === 'lossless' ? 'valid' : kind === 'lossy' ? 'unchecked' : 'unresolved'}>{kind}</Tag>
      <code>
        <Text>{rule}</Text>
      </code>
      <span class="quiet">
        {part?.part}
        {place === '' ? '' : `, ${place}`}
      </span>
      <span class="change">
        {before !== '' && <del>{secret ? '[hidden]' : short(before)}</del>}
        {after !== '' && <ins>{short(after)}</ins>}
      </span>
    </p>
  )
}
