import { start } from './frame'
import { receivables } from './receivables'

start(receivables)
