import type { Run } from '../../api/run-types.ts'
import { Text } from '../../components/code.tsx'
import { Panel } from '../../components/page.tsx'
import { Tag } from '../../components/pill.tsx'

/** The validators that could not run, and why. */
export function UncheckedPanel({ run }: { readonly run: Run }) {
  if (run.unchecked.length === 0) return null
  return (
    <Panel title="Could not be checked" note={run.unchecked.length}>
      <ul class="nodes">
        {run.unchecked.map(({ validator, cause, circuit, message }, at) => (
          <li key={at}>
            <span class="finding-head">
              <Tag tone="unchecked">{cause}</Tag>
              <code>
                <Text>{validator}</Text>
              </code>
              {circuit !== undefined && (
                <span class="quiet">
                  circuit <Text>{circuit}</Text>
                </span>
              )}
            </span>
            <Text>{message}</Text>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
