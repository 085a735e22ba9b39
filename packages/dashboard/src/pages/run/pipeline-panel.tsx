import type { PipelineNode, Run } from '../../api/run-types.ts'
import { useServices } from '../../app/services.ts'
import { Text } from '../../components/code.tsx'
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
  const { chunks = [], degraded } = node
  return (
    <li class="node">
      <span class="finding-head">
        <code>
          <Text>{node.node}</Text>
        </code>
        <span class="quiet">{format.duration(node.ms)}</span>
        {degraded !== undefined && <Tag tone="unchecked">degraded</Tag>}
      </span>
      <div class="node-details">
        {detailsOf(node).map((detail) => (
          <p key={detail}>
            <Text>{detail}</Text>
          </p>
        ))}
        {chunks.length > 0 && (
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
      </div>
    </li>
  )
}

/** What a node did, as short sentences. */
function detailsOf({ type, query, relevance, verdict, degraded, attempts, left_out: leftOut }: PipelineNode): readonly string[] {
  const score = relevance?.score === undefined ? '' : `, score ${relevance.score.toFixed(3)}`
  return [
    type && `${type.is}, by ${type.by}`,
    query && `searched for: ${query}`,
    relevance && `${relevance.relevant ? 'relevant' : 'insufficient'}, ${relevance.strategy}${score}`,
    relevance?.fallback && `fell back: ${relevance.fallback}`,
    attempts === undefined ? undefined : `${attempts} ${attempts === 1 ? 'call' : 'calls'} of the model`,
    verdict && `verdict: ${verdict}`,
    degraded,
    leftOut ? `${leftOut} passages left out` : undefined,
  ].filter((detail): detail is string => detail !== undefined && detail !== '')
}
