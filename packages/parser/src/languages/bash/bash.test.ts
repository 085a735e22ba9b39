import { describe, expect, test } from 'vitest'
import { bash } from './index.ts'

const parse = await bash.load()

describe('what bash accepts', () => {
  test.each([
    '',
    '# only a comment',
    'echo "a $(b "c $(d)") e" `f "g"`',
    'if a; then b; elif c; then d; else e; fi >f 2>&1 | g',
    'for i in a b c; do echo $i; done',
    'for i in a do\ndo a; done',
    'for i do a; done; for i; { a; }; for ((i = 0; i < 3; i++)); do a; done',
    'while read -r line; do x; done < <(y)',
    'case $x in (a|b) c ;; d) ;& *) e ;;& f) esac',
    'f() { a; }; function g { b; }; function h() ( c ); i() [[ a ]]',
    '[[ -f $a && ( $b == @(c|d) || ! $e =~ ^(f|g)+$ ) ]]',
    '(( a = (1 + 2) * 3 )); ( (a); (b)); echo $((a << 2)) $[1 + 2]',
    'a=(b "c d" [e]=f # g\n h) i+=(j)\nk=l m',
    'declare -a x=(1 2); local y=(3)',
    'cat <<A <<-"B C"\n$(parsed)\nA\n\tx\n\tB C\necho y',
    'x=$(cat <<A\n)\nA\n)',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a script
    "echo ${a:-$(b)} $(( 1 + 2 )) $'it\\'s'",
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
    ['if a; then b', '1:1 Close the `if` of line 1 with `fi`.'],
    ['if a\n  b\nfi', '3:1 Correct the command at `fi`: bash does not expect it here.'],
    ['for i in a b; echo $i; done', '1:1 Write `do` after the head of this `for`.'],
    ['for i in a do\n  echo $i\ndone', '1:1 Write `do` after the head of this `for`.'],
    ['a\nwhile b; do\n  c\n\n', '2:1 Close the `while` of line 2 with `done`.'],
    ['echo "a', '1:6 Close the double quote that opens here.'],
    ['x=$(a; b', '1:3 Close the `$(` of line 1 with `)`.'],
    ['echo 😀 é; )', '1:12 Correct the command at `)`: bash does not expect it here.'],
    ['a\r\n;;', '2:1 Correct the command at `;;`: bash does not expect it here.'],
    ['case x in a) b ;;', '1:1 Close the `case` of line 1 with `esac`.'],
    ['echo "$(a `b', '1:11 Close the back-tick that opens here.'],
    ['echo >', '1:6 Write a word after `>`.'],
    ['{ a; } b', '1:8 Write a semicolon or a line break between these commands.'],
    ['[[ a == ]]', '1:1 Close the `[[` of line 1 with `]]`.'],
    ['for ((i = 0; i < 3)); do a; done', '1:19 Write `;` after `expr`.'],
    ['cat <<EOF\n  EOF\n', '1:5 End the here-document that starts here with a line that holds only `EOF`.'],
    ['a=(b; c)', '1:5 Correct the command here: array element values must be words.'],
    ['echo a(b)', '1:7 Correct the command at `(`: bash does not expect it here.'],
  ])('%j', (source, expected) => {
    expect(parse(source).map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([expected])
  })
})

test('code that is nested too deeply has no verdict', () => {
  expect(() => parse('( '.repeat(500_000))).toThrow(RangeError)
  expect(parse('echo a')).toEqual([])
})

test('one script after the other has a verdict, however many there are', () => {
  const script = 'f() {\n  if [[ -n "$1" ]]; then echo "a $b" >> "$c"; fi\n}\n'.repeat(40)
  for (let count = 0; count < 400; count++) expect(parse(script + '\n'.repeat(count % 9))).toEqual([])
})
