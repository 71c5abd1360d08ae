import { start } from './frame'
import { project } from './project'

start(project)
