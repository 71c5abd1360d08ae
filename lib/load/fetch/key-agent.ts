import { BaseAgent, type IdentityCallback, type ParsedKey, type SignCallback, type SigningRequestOptions } from 'ssh2'
import { KeyThread } from './key-thread'
import type { SourceSecret } from './secrets'

/** Signs in with a private key that lies in its own thread. Close it once that is done. */
export class KeyAgent extends BaseAgent {
  private constructor(private readonly key: KeyThread) {
    super()
  }

  /** @throws SourceProblem when the key cannot be opened */
  static async open(secret: SourceSecret): Promise<KeyAgent> {
    return new KeyAgent(await KeyThread.open(secret))
  }

  override getIdentities(done: IdentityCallback): void {
    done(null, [this.key.publicKey])
  }

  override sign(
    _: string | Buffer | ParsedKey,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    done?: SignCallback,
  ): void {
    const [given, answer] = typeof options === 'function' ? [{}, options] : [options, done]
    this.key.sign(data, given.hash).then(
      (signature) => answer?.(null, signature),
      (fault) => answer?.(fault),
    )
  }

  close(): void {
    this.key.close()
  }
}
