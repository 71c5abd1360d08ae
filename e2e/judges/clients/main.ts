// Generated clients, as an integration developer would use them: each must compile, and do the same against the service.
import { readAll as byHeyApi } from './hey-api'
import { readAll as byOpenapiTypescript } from './openapi-typescript'
import { readAll as byOrval } from './orval'

const [api = '', key = '', leadKey = '', lead = ''] = process.argv.slice(2)
const at = (name: string) => ({ api, key, leadKey, lead: `${lead}-${name}` })
const reports = {
  'openapi-typescript': await byOpenapiTypescript(at('openapi-typescript')),
  'hey-api': await byHeyApi(at('hey-api')),
  orval: await byOrval(at('orval')),
}
console.log(JSON.stringify(reports))
