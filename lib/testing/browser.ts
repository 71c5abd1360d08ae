import type { LeavesCookies, Visitor } from '@/lib/auth/people/visitor'

let visitors = 0
/** A browser: it keeps the cookies it receives, and has its own address. */
export class Browser {
  private readonly jar = new Map<string, string>()
  readonly address = `10.9.${++visitors >> 8}.${visitors & 255}`
  get visitor(): Visitor {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    return { address: this.address, userAgent: 'Test/1.0', cookie }
  }
  keep<T extends LeavesCookies>(answer: T): T {
    for (const line of answer.setCookies) {
      const [pair = '', ...attributes] = line.split(/;\s*/)
      const at = pair.indexOf('=')
      if (attributes.includes('Max-Age=0')) this.jar.delete(pair.slice(0, at))
      else this.jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }
}
