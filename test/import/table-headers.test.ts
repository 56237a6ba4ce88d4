// Tests that the roles of columns are recognized in headers that people write: ten from public repositories, and others.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ImportReport } from '../../src/schema/imports.ts'
import { createTempFolder, createTestStore } from '../support/harness.ts'
import { detectingImporters, importInto } from '../support/import-file.ts'
import { testOptions } from '../support/options.ts'

const FOLDER = fileURLToPath(new URL('../fixtures/table-headers', import.meta.url))
/** The roles that fit each column of the files in the folder. */
const PUBLIC_HEADERS: Record<string, Record<string, string | string[]>> = JSON.parse(
  readFileSync(join(FOLDER, 'expected.json'), 'utf8'),
)

const store = await createTestStore()

/** The columns as ROLE[.KEY][:TYPE], without the keys that are column names. */
async function importColumns(path: string): Promise<Record<string, string>> {
  const report = await importInto(store, path)
  assert.deepEqual([report.stored, report.refusals], [true, []])
  return Object.fromEntries(
    report.columns.map(({ name, role, key, type }) => [
      name,
      `${role}${key === null || key === name ? '' : `.${key}`}${type === null ? '' : `:${type}`}`,
    ]),
  )
}

for (const [file, expected] of Object.entries(PUBLIC_HEADERS)) {
  test(`recognizes the roles of the columns in ${file}`, async () => {
    const columns = await importColumns(join(FOLDER, file))
    assert.deepEqual(Object.keys(columns), Object.keys(expected))
    for (const [name, roles] of Object.entries(expected)) {
      const role = columns[name]?.replace(/[.:].*/, '') ?? ''
      assert.ok([roles].flat().includes(role), `${name} has the role ${role} instead of ${roles}`)
    }
  })
}

/** The roles of the columns, as in `assay import`. */
function describeColumns({ columns }: ImportReport): Record<string, string> {
  return Object.fromEntries(
    columns.map(({ name, role, key, type, provider }) => {
      const keyText = key === null || key === name ? '' : `.${key}`
      return [
        name,
        `${role}${provider === null ? '' : `/${provider}`}${keyText}${type === null ? '' : `:${type}`}`,
      ]
    }),
  )
}

describe('tables of public repositories', () => {
  const folder = join(FOLDER, 'public')
  const file = join(folder, 'expected.json')
  const expected = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  const tables = readdirSync(folder)
    .filter((name) => /\.(csv|jsonl?)$/.test(name) && name !== 'expected.json')
    .sort()

  for (const name of tables) {
    test(`are read as expected: ${name}`, async () => {
      const path = join(folder, name)
      const formats = await detectingImporters(path)
      const report = formats.length > 0 ? await importInto(store, path, '--dry-run') : undefined
      const actual = report
        ? {
            format: report.format,
            evaluations: report.evaluations.map(({ name, accepted }) => `${name} (${accepted})`),
            columns: describeColumns(report),
            rejected: report.refusals.map(({ detail }) => detail),
            notes: [...report.notes, ...report.omissions].map(({ detail }) => detail),
          }
        : 'not detected'
      if (testOptions.update) expected[name] = actual
      assert.deepEqual(actual, expected[name])
    })
  }

  after(() => {
    if (testOptions.update) writeFileSync(file, `${JSON.stringify(expected, null, 2)}\n`)
  })
})

/** Pairs of a table and the roles of its columns. */
const OTHER_HEADERS: [string, string][] = [
  ['question,answer,ground_truth,score\nq,a,b,0.5\n', 'input output expected score'],
  [
    'case_id,question,answer,expected,correct,judge_score,latency_ms,cost_usd,error\nc1,q,a,b,1,4,1234,0.001,\nc2,q,,b,,,9,,HTTP 429\n',
    'id input output expected score:bool score:number latency:ms cost:usd error',
  ],
  ['prompt,response,label,pred,is_correct\np,r,A,B,False\n', 'input output expected extra score:bool'],
  [
    'input,model_output,reference,bleu,rouge_l\ni,m,r,12.5,0.3\n',
    'input output expected score:number score:number',
  ],
  [
    'query,context,generated_answer,gold_answer,faithfulness,relevance\nq,c,a,b,0.9,0.8\n',
    'input input output expected score:number score:number',
  ],
  ['instruction,output,score\ni,o,7\n', 'input output score'],
  [
    // The preset for RAGAS gives these roles.
    'user_input,retrieved_contexts,response,reference,faithfulness,answer_relevancy\nu,"[\'c\']",r,f,1.0,nan\n',
    'input input output expected score score',
  ],
  [
    'id,prompt,completion,target,exact_match,f1\n1,p,c,t,0,0.25\n2,p,c,c,1,1\n',
    'id input output expected score:bool score:number',
  ],
  ['text,prediction,label,confidence\nt,pos,neg,0.7\n', 'input output expected extra'],
  ['model,question,response,rating,comment\ngpt,q,r,4,ok\n', 'provider input output score:number note'],
  [
    'test_case,actual_output,expected_output,pass,reason\nt,a,e,fail,too short\n',
    'input output expected score:bool reason.pass',
  ],
  [
    'Nr;Question;Answer (GPT-4);Expected Answer;Correct?;Accuracy %;Latency (ms);Cost ($);Notes\n1;q;a;e;✓;75;1200;0,002;n\n',
    'input input output expected score:bool score:percent latency:ms cost:usd note',
  ],
  [
    'sampleId\tsource\thypothesis\treference\tchrF\nx\ts\th\tr\t55.1\n',
    'id input output expected score:number',
  ],
  [
    'userInput|botResponse|isCorrect|helpfulness|helpfulnessReason|judgeReason|promptTokens|responseTimeMs\nu|b|yes|3|short|ok|12|350\n',
    'input output score:bool score:number reason.helpfulness note extra latency:ms',
  ],
  [
    '{"task_id":"HumanEval/0","prompt":"p","generation":"def f(): …","passed":true,"error":null,"duration":0.4}\n',
    'id input output score:bool error latency:s',
  ],
  [
    ',subject,question,A,B,C,D,answer,prediction,correct\n0,math,q,1,2,3,4,D,D,1\n',
    'extra input input input input input input expected output score:bool',
  ],
  ['src,ref,hyp,bleu,comet\ns,r,h,12.5,0.8\n', 'input expected output score:number score:number'],
  [
    'question_id,turn,question,answer,judge,judgment,score\n81,1,q,a,gpt-4,[[9]],9\n',
    'id extra input output extra score:text score',
  ],
  ['text,gold_entities,predicted_entities,f1\nt,a,b,0.5\n', 'input expected output score:number'],
  [
    'eval_name,run_id,sample_id,prompt,sampled,expected,match\ne,r,s,p,x,y,True\n',
    'input extra id input output expected score:bool',
  ],
  [
    'problem_id,generated_code,num_passed,num_total,pass@1,exec_time\np,x = 1,3,4,0.5,0.1\n',
    'extra output extra extra score:number latency:s',
  ],
  [
    'Frage;Antwort;Erwartete Antwort;Korrekt;Bewertung;Dauer (s);Kommentar\nf;a;e;ja;0,5;1,5;k\n',
    'input output expected score:bool score:number latency:s note',
  ],
  [
    'entrée;sortie;réponse attendue;correct;durée_ms;commentaire\ne;s;a;vrai;120;c\n',
    'input output expected score:bool latency:ms note',
  ],
  ['pregunta,respuesta,respuesta_esperada,puntuación\np,r,e,0.5\n', 'input output expected score:number'],
  ['"Question\n(text)",Response,is_safe,category\nq,r,True,c\n', 'input output score:bool input'],
]

for (const [content, roles] of OTHER_HEADERS) {
  test(`recognizes the roles of the columns ${content.split('\n')[0]}`, async () => {
    const path = join(createTempFolder(), content.startsWith('{') ? 'runs.jsonl' : 'runs.csv')
    writeFileSync(path, content)
    assert.deepEqual(Object.values(await importColumns(path)), roles.split(' '))
  })
}
