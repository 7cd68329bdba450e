/** Raised with every change of the tables below; an index of another version is thrown away and built anew. */
export const INDEX_VERSION = 15;

/**
 * The index is a cache of the files. References are declared for the reader and not enforced: a file may name a role
 * that is gone, and the index must show that rather than refuse it.
 */
export const INDEX_SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE files (path TEXT PRIMARY KEY, mtime REAL NOT NULL, size INTEGER NOT NULL, inode INTEGER NOT NULL, etag TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE problems (
  path TEXT NOT NULL, id TEXT NOT NULL DEFAULT '', kind TEXT NOT NULL, project_id TEXT, line INTEGER,
  severity TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (path, id)
) WITHOUT ROWID;

CREATE TABLE roles (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, emoji TEXT, description TEXT, specialty TEXT, model_config TEXT, skills TEXT,
  system_prompt_template TEXT, variables TEXT, created_at TEXT, updated_at TEXT, version INTEGER DEFAULT 1, etag TEXT NOT NULL, ask TEXT
);
CREATE TABLE projects (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT, config TEXT, paths TEXT, status TEXT DEFAULT 'active',
  created_at TEXT, updated_at TEXT, model TEXT, workdir TEXT, suspended_at TEXT, completed_at TEXT, etag TEXT NOT NULL,
  last_status TEXT
);
CREATE TABLE project_assignments (
  id TEXT NOT NULL, project_id TEXT NOT NULL REFERENCES projects(id), role_id TEXT NOT NULL REFERENCES roles(id),
  model_config_override TEXT, skills_override TEXT, status TEXT DEFAULT 'active', mode TEXT DEFAULT 'on-demand', assigned_at TEXT,
  ask TEXT, PRIMARY KEY (project_id, id)
);
CREATE INDEX idx_assignments_project ON project_assignments(project_id);
CREATE INDEX idx_assignments_role ON project_assignments(role_id);

CREATE TABLE tasks (
  key INTEGER PRIMARY KEY, id TEXT NOT NULL, project_id TEXT NOT NULL REFERENCES projects(id), number INTEGER NOT NULL,
  title TEXT NOT NULL, description TEXT, type TEXT, priority TEXT, urgency INTEGER, assigned_role_id TEXT REFERENCES roles(id),
  assigned_sub_agent_id TEXT, context TEXT, status TEXT DEFAULT 'pending', created_at TEXT, updated_at TEXT, started_at TEXT,
  completed_at TEXT, result TEXT, plan TEXT, path TEXT NOT NULL, etag TEXT NOT NULL, extra TEXT NOT NULL,
  UNIQUE (project_id, id)
);
CREATE INDEX idx_tasks_project ON tasks(project_id, number);
CREATE INDEX idx_tasks_status ON tasks(status, project_id, number);
CREATE INDEX idx_tasks_assigned ON tasks(assigned_role_id, project_id, number);
CREATE INDEX idx_tasks_updated ON tasks(project_id, updated_at, number);
CREATE INDEX idx_tasks_recent ON tasks(updated_at, project_id, number);
CREATE INDEX idx_tasks_urgency ON tasks(project_id, urgency, number);
CREATE INDEX idx_tasks_urgent ON tasks(urgency, project_id, number);
CREATE INDEX idx_tasks_status_updated ON tasks(project_id, status, updated_at, number);
CREATE INDEX idx_tasks_status_urgency ON tasks(project_id, status, urgency, number);
CREATE INDEX idx_tasks_plan ON tasks(plan, project_id, status) WHERE plan IS NOT NULL;

CREATE TABLE task_labels (label TEXT, project_id TEXT, task_id TEXT, PRIMARY KEY (label, project_id, task_id)) WITHOUT ROWID;
CREATE INDEX idx_labels_task ON task_labels(project_id, task_id);
CREATE TABLE task_edges (
  project_id TEXT, blocked TEXT, blocker TEXT, declared_by TEXT, PRIMARY KEY (project_id, blocked, blocker, declared_by)
) WITHOUT ROWID;
CREATE INDEX idx_edges_blocker ON task_edges(project_id, blocker);
CREATE INDEX idx_edges_declared ON task_edges(project_id, declared_by);
CREATE TABLE task_counts (project_id TEXT, status TEXT, count INTEGER, PRIMARY KEY (project_id, status)) WITHOUT ROWID;

CREATE TABLE spawn_sessions (
  session_id TEXT PRIMARY KEY, task_id TEXT, project_id TEXT REFERENCES projects(id), role_id TEXT REFERENCES roles(id),
  status TEXT, started_at TEXT, completed_at TEXT, duration_seconds INTEGER, output TEXT, artifacts TEXT,
  created_at TEXT, parent_id TEXT, journal TEXT NOT NULL, epoch INTEGER NOT NULL, doc TEXT NOT NULL,
  standing TEXT,
  FOREIGN KEY (project_id, task_id) REFERENCES tasks(project_id, id)
);
CREATE INDEX idx_sessions_project ON spawn_sessions(project_id, session_id);
CREATE INDEX idx_sessions_status ON spawn_sessions(status, session_id);
CREATE INDEX idx_sessions_created ON spawn_sessions(created_at);
CREATE INDEX idx_sessions_ended ON spawn_sessions(completed_at, status, standing, parent_id) WHERE completed_at IS NOT NULL;
CREATE INDEX idx_sessions_parent ON spawn_sessions(parent_id);
CREATE INDEX idx_sessions_review ON spawn_sessions(session_id) WHERE standing = 'review';
CREATE INDEX idx_sessions_task ON spawn_sessions(task_id);
CREATE TABLE run_use (
  session_id TEXT PRIMARY KEY, project_id TEXT, role_id TEXT, model TEXT, created_at TEXT, calls INTEGER, input INTEGER,
  output INTEGER, cache_read INTEGER, cache_write INTEGER, cost_usd REAL, unpriced INTEGER
) WITHOUT ROWID;

/* Open ones by how urgent they are, which does not change as all of them grow older; then resolved ones, the newest first. */
CREATE TABLE escalations (
  id TEXT NOT NULL UNIQUE, number INTEGER PRIMARY KEY, status TEXT NOT NULL, type TEXT NOT NULL, project_id TEXT, resolved INTEGER NOT NULL,
  rank INTEGER NOT NULL, undelivered INTEGER NOT NULL, snoozed_until INTEGER NOT NULL, doc TEXT NOT NULL,
  call TEXT
);
CREATE INDEX idx_escalations_call ON escalations(call) WHERE call IS NOT NULL;
CREATE INDEX idx_escalations_rank ON escalations(resolved, rank, number);
CREATE INDEX idx_escalations_status ON escalations(status, resolved, rank, number);
CREATE INDEX idx_escalations_project ON escalations(project_id, resolved, rank, number);
CREATE INDEX idx_escalations_undelivered ON escalations(undelivered) WHERE undelivered = 1;

/* Gate reports and integration checks, by path: a copied project brings ids along that are known elsewhere. */
CREATE TABLE gates (
  path TEXT PRIMARY KEY, id TEXT NOT NULL, kind TEXT NOT NULL, project_id TEXT NOT NULL, run_id TEXT, task_id TEXT,
  state TEXT NOT NULL, verdict TEXT, key TEXT, doc TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX idx_gates_id ON gates(id);
CREATE INDEX idx_gates_project ON gates(project_id, kind, id);
CREATE INDEX idx_gates_task ON gates(project_id, task_id, id) WHERE task_id IS NOT NULL;
CREATE INDEX idx_gates_run ON gates(run_id, id) WHERE run_id IS NOT NULL;
CREATE INDEX idx_gates_key ON gates(project_id, key, id) WHERE key IS NOT NULL;
CREATE INDEX idx_gates_running ON gates(id) WHERE state = 'running';

CREATE TABLE documents (
  key INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, project_id TEXT, id TEXT NOT NULL, title TEXT NOT NULL,
  body TEXT NOT NULL, size INTEGER NOT NULL, updated_at TEXT NOT NULL
);
CREATE INDEX idx_documents_project ON documents(project_id, kind, path);

/* What was said and done in runs that are over, turn by turn; and which of them are unread, read or gone. */
CREATE TABLE passages (
  key INTEGER PRIMARY KEY, session_id TEXT NOT NULL, project_id TEXT NOT NULL, entry INTEGER NOT NULL, text TEXT NOT NULL
);
CREATE INDEX idx_passages_session ON passages(session_id);
CREATE TABLE run_reads (session_id TEXT PRIMARY KEY, project_id TEXT NOT NULL, ended_at TEXT NOT NULL, standing TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX idx_reads_project ON run_reads(project_id);
CREATE INDEX idx_reads_standing ON run_reads(standing, ended_at, session_id);

CREATE TABLE requests (key TEXT PRIMARY KEY, fingerprint TEXT, type TEXT NOT NULL, project_id TEXT, subject_id TEXT NOT NULL, at TEXT NOT NULL) WITHOUT ROWID;

CREATE VIRTUAL TABLE tasks_fts USING fts5(title, description, project_id, content='tasks', content_rowid='key', tokenize='unicode61 remove_diacritics 2', prefix='2 3');
CREATE VIRTUAL TABLE documents_fts USING fts5(title, body, content='documents', content_rowid='key', tokenize='unicode61 remove_diacritics 2', prefix='2 3');
CREATE VIRTUAL TABLE passages_fts USING fts5(text, project_id, content='passages', content_rowid='key', tokenize='unicode61 remove_diacritics 2', prefix='2 3');

/* Words that the full-text index has yet to take in or give up. One by one they would cost it more than all else a change does. */
CREATE TABLE tasks_unread (
  turn INTEGER PRIMARY KEY, command TEXT, key INTEGER NOT NULL, title TEXT NOT NULL, description TEXT, project_id TEXT NOT NULL
);
CREATE TRIGGER tasks_added AFTER INSERT ON tasks BEGIN
  INSERT INTO tasks_unread (key, title, description, project_id) VALUES (new.key, new.title, new.description, new.project_id);
  INSERT INTO task_counts VALUES (new.project_id, new.status, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER tasks_removed AFTER DELETE ON tasks BEGIN
  INSERT INTO tasks_unread (command, key, title, description, project_id)
  VALUES ('delete', old.key, old.title, old.description, old.project_id);
  UPDATE task_counts SET count = count - 1 WHERE project_id = old.project_id AND status = old.status;
  DELETE FROM task_counts WHERE project_id = old.project_id AND status = old.status AND count = 0;
END;
CREATE TRIGGER tasks_reworded AFTER UPDATE ON tasks WHEN old.title IS NOT new.title OR old.description IS NOT new.description BEGIN
  INSERT INTO tasks_unread (command, key, title, description, project_id)
  VALUES ('delete', old.key, old.title, old.description, old.project_id), (NULL, new.key, new.title, new.description, new.project_id);
END;
CREATE TRIGGER tasks_moved AFTER UPDATE ON tasks WHEN old.status IS NOT new.status BEGIN
  UPDATE task_counts SET count = count - 1 WHERE project_id = old.project_id AND status = old.status;
  DELETE FROM task_counts WHERE project_id = old.project_id AND status = old.status AND count = 0;
  INSERT INTO task_counts VALUES (new.project_id, new.status, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER documents_added AFTER INSERT ON documents BEGIN
  INSERT INTO documents_fts(rowid, title, body) VALUES (new.key, new.title, new.body);
END;
CREATE TRIGGER documents_removed AFTER DELETE ON documents BEGIN
  INSERT INTO documents_fts(documents_fts, rowid, title, body) VALUES ('delete', old.key, old.title, old.body);
END;
CREATE TRIGGER documents_changed AFTER UPDATE ON documents WHEN old.title IS NOT new.title OR old.body IS NOT new.body BEGIN
  INSERT INTO documents_fts(documents_fts, rowid, title, body) VALUES ('delete', old.key, old.title, old.body);
  INSERT INTO documents_fts(rowid, title, body) VALUES (new.key, new.title, new.body);
END;
CREATE TRIGGER passages_added AFTER INSERT ON passages BEGIN
  INSERT INTO passages_fts(rowid, text, project_id) VALUES (new.key, new.text, new.project_id);
END;
CREATE TRIGGER passages_removed AFTER DELETE ON passages BEGIN
  INSERT INTO passages_fts(passages_fts, rowid, text, project_id) VALUES ('delete', old.key, old.text, old.project_id);
END;
`;
