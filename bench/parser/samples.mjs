/** One declaration or statement in each language, valid as often as it is repeated with another number. */
const units = {
  avap: (n) =>
    `addParam(user${n}, name${n})\nif(name${n}, "admin", =)\n  addVar(level${n}, 10)\nelse()\n  addVar(level${n}, 1)\nend()\naddResult(level${n})\n`,
  bash: (n) => `step_${n}() {\n  local name="$1"\n  if [[ -n "$name" ]]; then\n    echo "step ${n}: \${name}" >> "$LOG"\n  fi\n}\n`,
  cpp: (n) => `int area${n}(const Shape& shape) {\n  if (shape.width > ${n}) return shape.width * shape.height;\n  return 0;\n}\n`,
  csharp: (n) => `class Shape${n} {\n  public int Width { get; set; }\n  public int Area(int height) => Width * height + ${n};\n}\n`,
  css: (n) => `.card-${n} > a:hover {\n  margin: 0 auto ${n}px;\n  color: #336699;\n}\n`,
  go: (n) =>
    `func area${n}(width, height int) (int, error) {\n\tif width < ${n} {\n\t\treturn 0, errors.New("too narrow")\n\t}\n\treturn width * height, nil\n}\n`,
  html: (n) => `<section id="part-${n}">\n  <h2>Part ${n}</h2>\n  <p class="text">Some <b>text</b> here.</p>\n</section>\n`,
  ini: (n) => `[section-${n}]\nname = value ${n}\n`,
  java: (n) =>
    `class Shape${n} {\n  private final int width;\n  Shape${n}(int width) { this.width = width; }\n  int area(int height) { return width * height; }\n}\n`,
  javascript: (n) =>
    `export function area${n}({ width, height = ${n} }) {\n  if (width < 0) throw new Error(\`bad width \${width}\`)\n  return [width, height].reduce((a, b) => a * b, 1)\n}\n`,
  php: (n) => `function area${n}(int $width, int $height): int {\n  if ($width < ${n}) { return 0; }\n  return $width * $height;\n}\n`,
  powershell: (n) =>
    `function Get-Area${n} {\n  param([int]$Width, [int]$Height)\n  if ($Width -lt ${n}) { return 0 }\n  $Width * $Height\n}\n`,
  python: (n) =>
    `def area_${n}(width: int, height: int = ${n}) -> int:\n    """Says how large it is."""\n    if width < 0:\n        raise ValueError(f"bad width {width}")\n    return sum(width for _ in range(height))\n\n`,
  ruby: (n) => `def area_${n}(width, height = ${n})\n  return 0 if width.negative?\n  width * height\nend\n`,
  rust: (n) =>
    `fn area_${n}(width: u32, height: u32) -> Option<u32> {\n    if width > ${n} { return None; }\n    Some(width * height)\n}\n`,
  sql: (n) =>
    `SELECT o.id, sum(l.price * l.quantity) AS total_${n}\nFROM orders o JOIN lines l ON l.order_id = o.id\nWHERE o.created_at > now() - interval '${n} days'\nGROUP BY o.id HAVING count(*) > 1 ORDER BY 2 DESC;\n`,
  typescript: (n) =>
    `export function area${n}<T extends Shape>(shape: T, scale: number = ${n}): number | undefined {\n  return shape.width < 0 ? undefined : (shape.width as number) * scale\n}\n`,
  toml: (n) => `[service-${n}]\nimage = "registry/app:${n}"\nports = [80, 443]\nactive = true\n`,
  tsx: (n) => `export function Card${n}({ name }: { name: string }) {\n  return <div className="card">{name} <b>{${n}}</b></div>\n}\n`,
  xml: (n) => `  <item id="${n}">\n    <name>Part ${n}</name>\n  </item>\n`,
  yaml: (n) => `service-${n}:\n  image: "registry/app:${n}"\n  ports: [80, 443]\n  env:\n    - NAME=value\n`,
}

const heads = { go: 'package shapes\n\nimport "errors"\n\n', php: '<?php\n', xml: '<list>\n' }
const tails = { xml: '</list>\n' }

/** About `size` characters of valid code; undefined in a language without an example. */
export function sampleOf(language, size) {
  if (language === 'json' || language === 'jsonc') return jsonOf(size)
  const unit = Object.hasOwn(units, language) ? units[language] : undefined
  if (unit === undefined) return undefined
  let text = heads[language] ?? ''
  for (let n = 1; text.length < size; n++) text += unit(n)
  return text + (tails[language] ?? '')
}

function jsonOf(size) {
  const rows = []
  for (let id = 0, length = 0; length < size; id++) {
    rows.push({ id, name: `User number ${id}`, active: id % 2 === 0, tags: ['alpha', 'beta'] })
    length += 65
  }
  return JSON.stringify(rows, null, 1)
}
