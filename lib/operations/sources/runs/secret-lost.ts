import { SourceProblem } from '@/lib/load/fetch/fetched'

/** The secret of a source was sealed with another EXTERNAL_API_TOKEN_SECRET. */
export class SecretLost extends SourceProblem {
  constructor() {
    super('The secret of this source can no longer be read. Enter it again in its settings.')
  }
}
