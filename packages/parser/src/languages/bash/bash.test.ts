import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bash } from './index.ts'

const parse = await bash.load()

describe('what bash accepts', () => {
  test.each([
    '',
    '# only a comment',
    'echo "a $(b "c $(d)") e" `f "g`',
    'if a; then b; elif c; then d; else e; fi >f 2>&1 | g',
    'for i in a b c; do echo $i; done',
    'for i in a do\ndo a; done',
    'for i do a; done; for i; { a; }; for ((i = 0; i < 3; i++)); do a; done',
    'while read -r line; do x; done < <(y)',
    'case $x in (a|b) c ;; d) ;& *) e ;;& f) esac',
    'f() { a; }; function g { b; }; function h() ( c ); i() [[ a ]]',
    '[[ -f $a && ( $b == @(c|d) || ! $e =~ ^(f|g)+$ ) ]]',
    '(( a = (1 + 2) * 3 )); ((a); (b)); echo $((a << 2)) $[1 + 2]',
    'a=(b "c d" [e]=f # g\n h) i+=(j) k=l m',
    'declare -a x=(1 2); local y=(3)',
    'cat <<A <<-"B C"\n$(not parsed\nA\n\tx\n\tB C\necho y',
    'x=$(cat <<A\n)\nA\n)',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a script
    "echo ${a:-$(b)} ${*[-1]} $(( # 1 + 2 )) $'it\\'s'",
    'coproc name { a; }; time -p b | time c; ! d',
    'echo a \\\n  b && \\\r\n c',
    'if a\r\nthen\r\n  b\r\nfi\r\n',
    'shopt -s extglob\nrm !(a|b)',
    'echo } { if then',
    '\ufeffecho a\nécho "😀" \ud800',
  ])('%j', (source) => {
    expect(parse(source)).toEqual([])
  })
})

describe('what bash rejects', () => {
  test.each([
    ['if a; then b', '1:13 Close the `if` of line 1 with `fi`.'],
    ['if a\n  b\nfi', '3:1 Write `then` before `fi`.'],
    ['for i in a b; echo $i; done', '1:15 Write `do` before `echo`.'],
    ['for i in a do\n  echo $i\ndone', '1:12 Write `;` before `do`.'],
    ['a\nwhile b; do\n  c\n\n', '3:4 Close the `while` of line 2 with `done`.'],
    ['echo "a', '1:6 Close the double quote that opens here.'],
    ['x=$(a; b', '1:9 Close the `(` of line 1 with `)`.'],
    ['echo 😀 é; )', '1:12 Correct the command at `)`: bash does not expect it here.'],
    ['a\r\n;;', '2:1 Correct the command at `;;`: bash does not expect it here.'],
    ['case x in a) b ;;', '1:18 Close the `case` of line 1 with `esac`.'],
    ['case x { a) b ;; }', '1:8 Write `in` before `{`.'],
    ['echo >', '1:7 Write the target of the redirection here.'],
    ['f() echo', '1:5 Write the body of the function in braces before `echo`.'],
    ['[[ a == ]]', '1:9 Correct the command at `]]`: bash does not expect it here.'],
    ['for ((i = 0; i < 3)); do a; done', '1:5 Write three expressions with two semicolons between the double parentheses.'],
    ['cat <<EOF\n  EOF\n', '1:7 End the here-document that starts here with a line that holds only `EOF`.'],
    ['a=(b; c)', '1:5 Correct the command at `;`: bash does not expect it here.'],
    ['echo a(b)', '1:7 Correct the command at `(`: bash does not expect it here.'],
  ])('%j', (source, expected) => {
    expect(parse(source).map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([expected])
  })
})

test('code that is nested too deeply has no verdict', () => {
  expect(() => parse('( '.repeat(500_000))).toThrow(RangeError)
  expect(parse('echo a')).toEqual([])
})

/** Whether the bash of this machine is one whose grammar is ours. */
const hasBash = /version (?:5\.[2-9]|[6-9])/.test(spawnSync('bash', ['--version'], { encoding: 'utf8' }).stdout ?? '')

test.runIf(hasBash)(
  'any sequence of tokens has the verdict of bash itself',
  () => {
    const tokens = [
      ...['if ', 'then ', 'else ', 'elif ', 'fi ', 'case ', 'esac ', 'for ', 'in ', 'do ', 'done ', 'while ', '{ ', '} ', '( ', ') '],
      ...['[[ a ', ']] ', '$(', '${', '}', '$((', '))', '"', "'", '`', ';', ';;', '&', '&&', '||', '|', '<', '>', '>>', '2>&1 ', '! '],
      ...['function ', 'a=(', 'x=', 'foo ', 'foo() ', '#', '\n', '== ', '-f ', '$x ', "$'", '"$(', 'case x in a) b ;; ', 'for i in 1; do '],
    ]
    const script = fc.array(fc.constantFrom(...tokens), { minLength: 1, maxLength: 9 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(script, (source) => {
        const { status, stderr } = spawnSync('bash', ['-n'], { input: source, encoding: 'utf8' })
        expect(parse(source).length > 0).toBe(status !== 0 || stderr !== '')
      }),
      { numRuns: 200 },
    )
  },
  60_000,
)
