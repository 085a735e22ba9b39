import fc from 'fast-check'

const word = fc.constantFrom('a', 'total', 'user_1', '_status', '$name', 'añadido', 'i')
const text = fc.constantFrom('Ana', 'a, b', 'x = 1', '(', 'https://a.example/b', '//', '/*', 'it is', '#', '', '%s', 'end()')
const string = fc.oneof(
  text.map((inner) => `"${inner}"`),
  text.map((inner) => `'${inner}'`),
  text.map((inner) => `\`${inner} $\{a}\``),
)
const value = fc.oneof(
  word,
  string,
  fc.constantFrom('1', '-2.5', 'None', '[1, 2]', '{"a": [1, (2)]}', 'len(a)', 'users[0].name', 'c.get("a")'),
)
const argument = fc.oneof(
  value,
  fc.constantFrom(
    '',
    'https://a.example/b?c=d',
    'SELECT * FROM t WHERE id = 1',
    '%d/%m/%Y',
    '[A-Z0-9]',
    '!=',
    'h(a, b)',
    'f(a)',
    'SELECT md5(a) FROM t',
    'round(a, 2)',
  ),
)
const expression = fc.oneof(
  value,
  fc.tuple(value, fc.constantFrom(' + ', '*', ' % ', ' == ', ' and ', ' not in ', ' is not ', ', '), value).map((parts) => parts.join('')),
  fc.tuple(value, word, value).map(([a, b, c]) => `${a} if ${b} else ${c}`),
  fc.constantFrom("RequestGet(url, '', '')", 'str(a)', '(a + b) * 2', 'not a', '"%s" % a', 'lambda q: q', 'c.query("select 1")[0]'),
)
const commands: readonly (readonly [string, number])[] = [
  ...([
    ['addResult', 1],
    ['addVar', 2],
    ['encodeSHA256', 2],
    ['randomString', 3],
    ['getRegex', 3],
    ['replace', 4],
  ] as const),
  ...([
    ['RequestGet', 4],
    ['RequestPost', 5],
    ['ormAccessUpdate', 5],
    ['registerEndpoint', 6],
    ['db.query', 2],
  ] as const),
]
const call = fc
  .constantFrom(...commands)
  .chain(([name, count]) =>
    fc
      .array(argument, { minLength: count, maxLength: count })
      .map((given) => `${name}(${count === 1 && given[0] === '' ? 'a' : given.join(', ')})`),
  )
const simple = fc.oneof(
  call,
  fc.tuple(word, expression).map(([target, right]) => `${target} = ${right}`),
  expression.map((given) => `return ${given}`),
  fc.constantFrom(
    '',
    '// note',
    '/* note */',
    'return',
    'function f(a){ x = a; return {"x": x} }',
    '/* one|for x: " two */',
    'rows[0].name = 1',
  ),
)
const decoration = fc.constantFrom('', '', '', ';', ' // note', ' ;  // "note', ' /* note */', '\t')

const { program } = fc.letrec<{ program: string[]; block: string[] }>((tie) => {
  const inner = fc.option(tie('program'), { nil: [] })
  const body = inner.map((lines) => lines.map((line) => `  ${line}`))
  return {
    program: fc
      .array(
        fc.oneof(
          { maxDepth: 3, withCrossShrink: true },
          simple.map((line) => [line]),
          tie('block'),
        ),
        { maxLength: 4 },
      )
      .map((parts) => parts.flat()),
    block: fc.oneof(
      body.map((lines) => ['if(a, 1, =)', ...lines, 'end()']),
      fc.tuple(body, body).map(([yes, no]) => ['if(None, None, "a >= 18")', ...yes, 'else()', ...no, 'end()']),
      body.map((lines) => ['startLoop(i, 0, 3)', ...lines, 'endLoop()']),
      body.map((lines) => ['go_async(task)', ...lines, 'end()']),
      body.map((lines) => ['function g(a, b) {', ...lines, '}']),
      fc
        .tuple(body, body, fc.boolean())
        .map(([tried, caught, ends]) => ['try()', ...tried, 'm = exception("e")', ...caught, ...(ends ? ['end()'] : [])]),
    ),
  }
})

/** Valid programs, line by line. */
export const validPrograms: fc.Arbitrary<readonly string[]> = fc
  .tuple(program, fc.array(decoration, { minLength: 8, maxLength: 8 }), fc.constantFrom('', ' ', '\t', '    '))
  .map(([lines, ends, indent]) =>
    lines
      .flatMap((line) => line.split('|'))
      .map((line, at) => (/[/*{]|^\s*$/.test(line) ? line : `${indent}${line}${ends[at % ends.length]}`)),
  )
