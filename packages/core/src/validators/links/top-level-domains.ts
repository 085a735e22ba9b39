/** The top-level domains in scripts that are written without spaces: other words of theirs behind a host are prose. */
const spaceless: ReadonlySet<string> = new Set(
  (
    '中国 中國 香港 台湾 台灣 新加坡 澳门 澳門 公司 网络 網絡 中文网 在线 商城 商店 网址 网站 网店 集团 我爱你 政务 政府 公益 机构 组织机构 移动 手机 八卦 佛山 广东 企业 信息 健康 娱乐 餐厅 餐饮 时尚 招聘 游戏 慈善 ' +
    '天主教 大拿 大众汽车 嘉里 嘉里大酒店 书籍 購物 购物 通販 微博 新闻 工行 家電 淡马锡 点看 珠宝 联通 诺基亚 谷歌 飞利浦 食品 亚马逊 電訊盈科 中信 世界 盛贸饭店 香格里拉 一号店 商标 网路 닷컴 닷넷 한국 삼성 ' +
    'みんな アマゾン クラウド グーグル コム ストア セール ファッション ポイント ไทย คอม ລາວ'
  ).split(' '),
)

const spacelessScripts = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Bopo}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}'

/** A letter of a script that is written without spaces, so that prose may follow an address at once. */
export const spacelessLetter = `[${spacelessScripts}]`

const noDomain = new RegExp(`[${spacelessScripts}\\p{P}\\p{S}]`, 'u')

/** Whether no client can open an address of the web: its host is none, or ends in what is no top-level domain, such as `com，谢谢`. */
export function leadsNowhere(address: string): boolean {
  const whole = /^www\./i.test(address) ? `https://${address}` : address
  if (!URL.canParse(whole, 'https://relative.invalid')) return true
  const authority = /^(?:[a-z][a-z0-9+.-]*:)?[/\\]*([^/\\?#]*)/i.exec(whole)?.[1] ?? ''
  // A host written with codes is hidden on purpose.
  if (/[%&]/.test(authority)) return false
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d{0,5}$/, '')
  const last = host
    .split(/[.。．｡]/)
    .map((label) => label.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKC'))
    .findLast((label) => label !== '')
  return last !== undefined && !last.endsWith(']') && noDomain.test(last.replaceAll('-', '')) && !spaceless.has(last)
}
