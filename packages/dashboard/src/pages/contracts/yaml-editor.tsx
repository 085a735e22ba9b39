import type { ContractError } from '../../api/contract-types.ts'

/** What the editor takes. */
interface YamlEditorProps {
  readonly yaml: string
  readonly errors: readonly ContractError[]
  change(yaml: string): void
}

const fewestLines = 12
const mostNumbers = 5000

/** A field for YAML with numbered lines; lines with faults are marked. */
export function YamlEditor({ yaml, errors, change }: YamlEditorProps) {
  const lines = Math.max(fewestLines, yaml.split('\n').length + 1)
  const wrong = new Set(errors.map(({ line }) => line))
  return (
    <div class="editor">
      <ol class="editor-lines" aria-hidden="true">
        {Array.from({ length: Math.min(lines, mostNumbers) }, (_, at) => (
          <li key={at} class={wrong.has(at + 1) ? 'wrong' : ''}>
            {at + 1}
          </li>
        ))}
      </ol>
      <textarea
        class="editor-text"
        aria-label="YAML of the contract"
        aria-invalid={errors.length > 0}
        aria-describedby="contract-errors"
        rows={lines}
        wrap="off"
        spellcheck={false}
        autocomplete="off"
        value={yaml}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </div>
  )
}
