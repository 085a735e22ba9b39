import type { PipelineNode, Run } from '../../api/run-types.ts'
import { useServices } from '../../app/services.ts'
import { Text } from '../../components/code.tsx'
import { Facts } from '../../components/facts.tsx'
import { Panel } from '../../components/page.tsx'
import { Tag } from '../../components/pill.tsx'

/** What the nodes of a pipeline did, in their order. */
export function PipelinePanel({ run }: { readonly run: Run }) {
  const { pipeline = [] } = run
  if (pipeline.length === 0) return null
  return (
    <Panel title="Pipeline" note={`${pipeline.length} nodes`}>
      <ol class="nodes">
        {pipeline.map((node, at) => (
          <Node key={at} node={node} />
        ))}
      </ol>
    </Panel>
  )
}

function Node({ node }: { readonly node: PipelineNode }) {
  const { format } = useServices()
  const { type, query, chunks, relevance, verdict, degraded, attempts, left_out: leftOut } = node
  const judged = relevance && `${relevance.relevant ? 'relevant' : 'insufficient'}, ${relevance.strategy}`
  return (
    <li>
      <span class="finding-head">
        <code>
          <Text>{node.node}</Text>
        </code>
        <span class="quiet">{format.duration(node.ms)}</span>
        {degraded !== undefined && <Tag tone="unchecked">degraded</Tag>}
      </span>
      <Facts
        facts={[
          ['Type', type && <Text>{`${type.is}, by ${type.by}`}</Text>],
          ['Searched for', query && <Text>{query}</Text>],
          ['Context', judged && <Text>{relevance.score === undefined ? judged : `${judged}, score ${relevance.score.toFixed(3)}`}</Text>],
          ['Fell back', relevance?.fallback && <Text>{relevance.fallback}</Text>],
          ['Model calls', attempts],
          ['Verdict', verdict && <Text>{verdict}</Text>],
          ['Degraded', degraded && <Text>{degraded}</Text>],
          ['Left out', leftOut],
        ]}
      />
      {chunks !== undefined && chunks.length > 0 && (
        <details>
          <summary>
            {chunks.length} {chunks.length === 1 ? 'passage' : 'passages'}
          </summary>
          <ol class="chunks">
            {chunks.map(({ urn, score }, at) => (
              <li key={at}>
                <code>
                  <Text>{urn}</Text>
                </code>
                <span class="number">{score.toFixed(4)}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  )
}
