// One section per part. The charts and the foundations have their own files.
import { Download, Ellipsis, Link2, Pin, Share2, Upload } from 'lucide'
import { type ReactNode, useState } from 'react'
import { Button, buttonClass, IconButton } from '../../src/ui/button.tsx'
import { Badge, Chip, FilterChip } from '../../src/ui/chip.tsx'
import { CopyButton } from '../../src/ui/copy-button.tsx'
import { Delta, ValueAndChange } from '../../src/ui/delta.tsx'
import { ChoiceMenu } from '../../src/ui/menus/choice-menu.tsx'
import { Menu, MenuHeading, MenuItem, MenuItems, MenuSeparator } from '../../src/ui/menus/menu.tsx'
import { ConfirmDialog } from '../../src/ui/messages/dialog.tsx'
import { MessageBlock } from '../../src/ui/messages/message-block.tsx'
import { Skeleton, SkeletonRows } from '../../src/ui/messages/skeleton.tsx'
import { toast } from '../../src/ui/messages/toasts.tsx'
import { SearchField } from '../../src/ui/search-field.tsx'
import table from '../../src/ui/table.module.css'
import { Segments } from '../../src/ui/tabs.tsx'
import { TimeAgo } from '../../src/ui/time-ago.tsx'
import { Charts } from './charts.tsx'
import { Colors, Type } from './foundations.tsx'
import styles from './page.module.css'

const PARTS: [name: string, content: () => ReactNode][] = [
  ['Colors', Colors],
  ['Type', Type],
  ['Buttons', Buttons],
  ['Menus', Menus],
  ['Chips', Chips],
  ['Choices and search', Choices],
  ['Table', Table],
  ['Charts', Charts],
  ['Dialog and toast', Dialogs],
  ['Skeletons', Skeletons],
  ['Messages', Messages],
]

export function Gallery() {
  return PARTS.map(([name, Content]) => (
    <div key={name} className={styles.part}>
      <h2>{name}</h2>
      <Content />
    </div>
  ))
}

function Buttons() {
  return (
    <>
      <div className={styles.line}>
        <Button variant="primary" icon={Upload}>
          Import
        </Button>
        <Button icon={Share2}>Share</Button>
        <Button variant="plain" icon={Download} tooltip="Export all rows" shortcut="e">
          Export
        </Button>
        <Button disabled>Disabled</Button>
        <a href="#link" className={buttonClass({})}>
          All evaluations
        </a>
      </div>
      <div className={styles.line}>
        <Button size="small">Small</Button>
        <CopyButton text="copied">Copy</CopyButton>
        <IconButton icon={Pin} label="Pin" shortcut="p" />
        <IconButton icon={Pin} label="Pinned" shortcut="p" aria-pressed={true} />
      </div>
    </>
  )
}

function Menus() {
  return (
    <div className={styles.line}>
      <Menu label="Share" icon={Share2}>
        <MenuItems>
          <MenuItem icon={Link2} shortcut="y">
            Copy link
          </MenuItem>
          <MenuItem detail="120 rows">Export</MenuItem>
          <MenuSeparator />
          <MenuHeading>Density</MenuHeading>
          <MenuItem isChosen={true}>Default</MenuItem>
          <MenuItem isChosen={false}>Compact</MenuItem>
        </MenuItems>
      </Menu>
      <Menu label="More" icon={Ellipsis} isIconOnly>
        <MenuItems>
          <MenuItem>Rename</MenuItem>
        </MenuItems>
      </Menu>
    </div>
  )
}

function Chips() {
  return (
    <div className={styles.line}>
      <Chip isPressed={true} count={35}>
        Fail
      </Chip>
      <Chip isPressed={false} count={82}>
        Pass
      </Chip>
      <FilterChip removeLabel="Remove latency > 2 s" onRemove={() => toast('Removed.')}>
        latency &gt; 2 s
      </FilterChip>
      <Badge>baseline</Badge>
      <Badge tone="accent">running</Badge>
      <Badge tone="warning">failed</Badge>
    </div>
  )
}

const EVALUATORS = [
  { value: 'answer_correct', name: 'answer_correct', label: 'answer_correct' },
  { value: 'faithfulness', name: 'faithfulness', label: 'faithfulness' },
]

function Choices() {
  const [evaluator, setEvaluator] = useState('answer_correct')
  const [text, setText] = useState('')
  return (
    <div className={styles.line}>
      <Segments label="Evaluator" options={EVALUATORS} value={evaluator} onChange={setEvaluator} />
      <ChoiceMenu title="Evaluator" options={EVALUATORS} value={evaluator} onSelect={setEvaluator} />
      <SearchField text={text} onText={setText} label="Filter by name" placeholder="Filter by name" />
    </div>
  )
}

function Table() {
  const changes = [2.8, -22.3, 0]
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" className={table.numeric}>
            answer_correct <span className={table.unit}>%</span>
          </th>
          <th scope="col">Created</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((difference) => (
          <tr key={difference} aria-selected={difference === 0}>
            <th scope="row">Support answer</th>
            <td className={table.numeric}>
              <ValueAndChange
                value="91.3"
                change={<Delta difference={difference} higherIsBetter format={(value) => value.toFixed(1)} />}
              />
            </td>
            <td>
              <TimeAgo time="2026-09-18T10:00:00.000Z" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Dialogs() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className={styles.line}>
      <Button onClick={() => setIsOpen(true)}>Open dialog</Button>
      <Button onClick={() => toast('Link copied.')}>Show toast</Button>
      {isOpen && (
        <ConfirmDialog
          title="Large export"
          buttonLabel="Export"
          onClose={() => setIsOpen(false)}
          onConfirm={() => toast('Confirmed.')}
        >
          <p>100,000 rows as JSON are about 120 MB.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function Skeletons() {
  return (
    <>
      <Skeleton width={24} />
      <SkeletonRows rows={3} />
    </>
  )
}

function Messages() {
  return (
    <>
      <MessageBlock title="No row matches" actions={<Button>Remove the filters</Button>}>
        <p>120 rows are hidden by two filters.</p>
      </MessageBlock>
      <MessageBlock title="Evaluation not found" isError>
        <p>It does not exist, or this key cannot read it.</p>
      </MessageBlock>
    </>
  )
}
