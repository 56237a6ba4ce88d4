// The client generators that run.ts tests: their versions, and the commands that install them, generate and compile.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, pipInstall, venvCommand } from './tools.ts'

const DOCUMENT = fileURLToPath(new URL('../../openapi.json', import.meta.url))
const TSC = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url))

/** All versions in one place. The first one of a generator is its own. */
const VERSIONS = {
  'openapi-typescript': { 'openapi-typescript': '7.13.0', 'openapi-fetch': '0.17.0' },
  'hey-api': { '@hey-api/openapi-ts': '0.99.0', typescript: '5.9.3' },
  orval: { orval: '8.38.0' },
  'openapi-python-client': { 'openapi-python-client': '0.29.1', mypy: '2.4.1' },
  'datamodel-code-generator': {
    'datamodel-code-generator': '0.89.0',
    pydantic: '2.14.3',
    httpx: '0.28.1',
    mypy: '2.4.1',
  },
  'openapi-generator': { 'org.openapitools:openapi-generator-cli': '7.25.0' },
  'oapi-codegen': {
    'github.com/oapi-codegen/oapi-codegen/v2': 'v2.8.2',
    'github.com/oapi-codegen/runtime': 'v1.8.0',
  },
}

/** Commands run in a folder of the generator. */
export interface Generator {
  name: string
  version: string
  /** The programs that must be installed. */
  tools: string[]
  /** Files of the folder, by name. */
  files: Record<string, string>
  install: Command[]
  generate: Command[]
  compile: Command[]
  /** The program that uses the client, without its arguments: origin, key and the id of a new evaluation. */
  run: Command
}

export const GENERATORS: Generator[] = [
  typescriptGenerator('openapi-typescript', 'openapi-typescript', [DOCUMENT, '-o', 'api.ts']),
  typescriptGenerator('hey-api', 'openapi-ts', ['-i', DOCUMENT, '-o', 'api']),
  typescriptGenerator('orval', 'orval', ['--input', DOCUMENT, '--output', 'api.ts', '--client', 'fetch']),
  pythonGenerator('openapi-python-client', [
    [...venvCommand('openapi-python-client'), 'generate', '--meta', 'none', '--overwrite'].concat(
      ['--path', DOCUMENT],
      ['--output-path', 'assay_client'],
    ),
  ]),
  pythonGenerator('datamodel-code-generator', [
    [...venvCommand('datamodel-codegen'), '--input', DOCUMENT, '--input-file-type', 'openapi'].concat(
      ['--output-model-type', 'pydantic_v2.BaseModel', '--use-annotated', '--formatters', 'builtin'],
      ['--target-python-version', '3.11', '--output', 'api.py'],
    ),
  ]),
  javaGenerator(),
  goGenerator(),
]

function describe(name: keyof typeof VERSIONS) {
  const versions: Record<string, string> = VERSIONS[name]
  return { name, version: Object.values(versions)[0] as string, versions }
}

function readProgram(file: string): string {
  return readFileSync(new URL(`programs/${file}`, import.meta.url), 'utf8')
}

function typescriptGenerator(name: keyof typeof VERSIONS, command: string, args: string[]): Generator {
  const { version, versions } = describe(name)
  const compilerOptions = {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    outDir: 'dist',
  }
  return {
    name,
    version,
    tools: ['npm'],
    files: {
      'package.json': JSON.stringify({ private: true, type: 'module', dependencies: versions }),
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts', 'api'] }),
      'program.ts': readProgram(`${name}.ts`),
    },
    install: [['npm', 'install', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts']],
    generate: [[process.execPath, join('node_modules', '.bin', command), ...args]],
    compile: [[TSC, '-p', '.']],
    run: [process.execPath, join('dist', 'program.js')],
  }
}

function pythonGenerator(name: keyof typeof VERSIONS, generate: Command[]): Generator {
  const { version, versions } = describe(name)
  return {
    name,
    version,
    tools: ['python3'],
    files: { 'program.py': readProgram(`${name.replaceAll('-', '_')}.py`) },
    install: pipInstall(versions),
    generate,
    compile: [[...venvCommand('mypy'), '--strict', 'program.py']],
    run: [...venvCommand('python'), 'program.py'],
  }
}

function javaGenerator(): Generator {
  const { name, version } = describe('openapi-generator')
  const artifact = `org.openapitools:openapi-generator-cli:${version}`
  const jar = `openapi-generator-cli-${version}.jar`
  const maven = ['mvn', '-q', '-B', '-f', 'api']
  return {
    name,
    version,
    tools: ['java', 'javac', 'mvn'],
    files: { 'OpenApiGenerator.java': readProgram('OpenApiGenerator.java') },
    install: [['mvn', '-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, '-DoutputDirectory=.']],
    generate: [
      ['java', '-jar', jar, 'generate', '-i', DOCUMENT, '-g', 'java', '--library', 'native', '-o', 'api'],
    ],
    compile: [
      [...maven, 'compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/lib'],
      ['javac', '-cp', 'api/target/classes:api/target/lib/*', '-d', 'program', 'OpenApiGenerator.java'],
    ],
    run: ['java', '-cp', 'program:api/target/classes:api/target/lib/*', 'OpenApiGenerator'],
  }
}

function goGenerator(): Generator {
  const { name, version, versions } = describe('oapi-codegen')
  const generator = ['go', 'run', `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${version}`]
  const runtime = 'github.com/oapi-codegen/runtime'
  return {
    name,
    version,
    tools: ['go'],
    files: { 'go.mod': 'module program\n\ngo 1.24\n', 'program.go': readProgram('oapi_codegen.go') },
    install: [[...generator, '-version']],
    generate: [
      [...generator, '-generate', 'types,client', '-package', 'main', '-o', 'api.go', DOCUMENT],
      ['go', 'get', `${runtime}@${versions[runtime]}`],
    ],
    compile: [['go', 'build', '-o', 'program', '.']],
    run: ['./program'],
  }
}
