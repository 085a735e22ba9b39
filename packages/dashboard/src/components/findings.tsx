import type { ComponentChildren } from 'preact'
import type { Certificate, Issue } from '../api/run-types.ts'
import { useServices } from '../app/services.ts'
import { Text } from './code.tsx'
import { Tag } from './pill.tsx'

/** What a list of findings takes. */
interface FindingsProps {
  readonly issues: readonly Issue[]
  readonly fixed: readonly Issue[]
  readonly repairs: readonly Certificate[]
  /** How many there were, when some are not kept. */
  readonly counts?: { readonly issues: number; readonly fixed: number; readonly repairs: number }
  readonly chosen?: string | undefined
  choose(finding: string): void
}

/** What was found and what was changed; an entry with a place in the text leads there. */
export function Findings({ issues, fixed, repairs, counts, chosen, choose }: FindingsProps) {
  return (
    <div class="findings">
      <FindingGroup title="Remaining issues" all={counts?.issues ?? issues.length} shown={issues.length}>
        {issues.map((issue, at) => (
          <IssueEntry key={at} issue={issue} finding={`issue-${at}`} isChosen={chosen === `issue-${at}`} choose={choose} />
        ))}
      </FindingGroup>
      <FindingGroup title="Repairs" all={counts?.repairs ?? repairs.length} shown={repairs.length}>
        {byRule(repairs).map(({ rule, class: kind, entries }) => (
          <li key={entries[0]?.at} class="finding">
            <span class="finding-head">
              <Tag tone={kind === 'lossless' ? 'valid' : kind === 'lossy' ? 'unchecked' : 'unresolved'}>{kind}</Tag>
              <code>
                <Text>{rule}</Text>
              </code>
              {entries.length > 1 && <span class="quiet">{entries.length} changes</span>}
            </span>
            {entries.map(({ at, repair }) => (
              <RepairEntry key={at} repair={repair} finding={`repair-${at}`} isChosen={chosen === `repair-${at}`} choose={choose} />
            ))}
          </li>
        ))}
      </FindingGroup>
      <FindingGroup
        title="Fixed issues"
        isFolded={repairs.length > 0 || issues.length > 0}
        all={counts?.fixed ?? fixed.length}
        shown={fixed.length}
      >
        {fixed.map((issue, at) => (
          <IssueEntry key={at} issue={issue} finding={`fixed-${at}`} isFixed isChosen={chosen === `fixed-${at}`} choose={choose} />
        ))}
      </FindingGroup>
    </div>
  )
}

interface GroupProps {
  readonly title: string
  readonly all: number
  readonly shown: number
  /** Whether it is opened on request. */
  readonly isFolded?: boolean
  readonly children: ComponentChildren
}

function FindingGroup({ title, all, shown, isFolded = false, children }: GroupProps) {
  if (shown === 0) return null
  const head = (
    <>
      {title} <span class="quiet">{shown < all ? `first ${shown} of ${all}` : all}</span>
    </>
  )
  return (
    <section aria-label={title}>
      {isFolded ? (
        <details>
          <summary class="finding-title">{head}</summary>
          <ul>{children}</ul>
        </details>
      ) : (
        <>
          <h3 class="finding-title">{head}</h3>
          <ul>{children}</ul>
        </>
      )}
    </section>
  )
}

interface EntryProps {
  readonly finding: string
  readonly isChosen: boolean
  choose(finding: string): void
}

/** One issue: its rule, what it says and where it is. */
function IssueEntry({
  issue,
  finding,
  isFixed = false,
  isChosen,
  choose,
}: EntryProps & { readonly issue: Issue; readonly isFixed?: boolean }) {
  const { format } = useServices()
  const { code, severity, validator, message, hint, suggestion, span, path } = issue
  return (
    <Entry finding={finding} isChosen={isChosen} choose={choose} place={format.place(span, path)} hasSpan={span !== undefined}>
      <span class="finding-head">
        <Tag tone={isFixed ? 'repaired' : severity === 'error' ? 'unresolved' : 'unchecked'}>{isFixed ? 'fixed' : severity}</Tag>
        <code>
          <Text>{validator}</Text>/<Text>{code}</Text>
        </code>
      </span>
      {message !== '' && <Text>{message}</Text>}
      {hint !== undefined && (
        <span class="quiet">
          <Text>{hint}</Text>
        </span>
      )}
      {suggestion !== undefined && (
        <span class="quiet">
          Probably meant:{' '}
          <code>
            <Text>{suggestion}</Text>
          </code>
        </span>
      )}
    </Entry>
  )
}

const longest = 300

/** Repairs of one rule, one after another. */
interface RuleRepairs {
  readonly rule: string
  readonly class: string
  readonly entries: { readonly at: number; readonly repair: Certificate }[]
}

function byRule(repairs: readonly Certificate[]): readonly RuleRepairs[] {
  const groups: RuleRepairs[] = []
  for (const [at, repair] of repairs.entries()) {
    const last = groups.at(-1)
    if (last?.rule === repair.rule && last.class === repair.class) last.entries.push({ at, repair })
    else groups.push({ rule: repair.rule, class: repair.class, entries: [{ at, repair }] })
  }
  return groups
}

/** One certificate: the change, and where it was made. */
function RepairEntry({ repair, finding, isChosen, choose }: EntryProps & { readonly repair: Certificate }) {
  const { format } = useServices()
  const { span, path, before, after, in: part, calls, secret } = repair
  const place = part === undefined ? format.place(span, path) : `${part.part} of tool call ${part.call + 1}, ${format.place(span, path)}`
  const isEmpty = before === '' && after === '' && calls === undefined
  const text = (given: string): string => {
    const { shown, missing } = format.clamp(given, longest)
    return `${shown.replaceAll('\n', '↵')}${missing > 0 ? ` … (${format.number(missing)} more)` : ''}`
  }
  return (
    <div class={isChosen ? 'repair-entry chosen' : 'repair-entry'} id={`finding-${finding}`}>
      {isEmpty ? (
        <span class="quiet">The removed and inserted texts are not kept.</span>
      ) : (
        <span class="change">
          {before !== '' && <del>{secret ? '[hidden]' : text(before)}</del>}
          {after !== '' && <ins>{text(after)}</ins>}
        </span>
      )}
      {calls !== undefined && calls.length > 0 && (
        <span class="quiet">
          Became {calls.length === 1 ? 'a tool call' : `${calls.length} tool calls`}:{' '}
          <Text>{calls.map(({ name }) => name).join(', ')}</Text>
        </span>
      )}
      <FindingPlace place={place} hasSpan={part === undefined} choose={() => choose(finding)} />
    </div>
  )
}

interface AnyEntryProps extends EntryProps {
  readonly place: string
  readonly hasSpan: boolean
  readonly children: ComponentChildren
}

function Entry({ finding, isChosen, choose, place, hasSpan, children }: AnyEntryProps) {
  return (
    <li class={isChosen ? 'finding chosen' : 'finding'} id={`finding-${finding}`}>
      {children}
      <FindingPlace place={place} hasSpan={hasSpan} choose={() => choose(finding)} />
    </li>
  )
}

/** Where a finding is; leads there when it is in the text. */
function FindingPlace({ place, hasSpan, choose }: { readonly place: string; readonly hasSpan: boolean; choose(): void }) {
  if (place === '') return null
  return hasSpan ? (
    <button type="button" class="finding-place" onClick={choose}>
      <bdi>{place}</bdi>
    </button>
  ) : (
    <span class="quiet">
      <bdi>{place}</bdi>
    </span>
  )
}
