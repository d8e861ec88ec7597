// The level that `crashloop new` writes: small, commented, and it proves itself.

export const STARTER_LEVEL = `# A level of crashloop: one YAML file. Play it: crashloop play THIS-FILE   Prove it: crashloop check THIS-FILE
format: 1
id: my-first-level            # how players call it; lower-case words with dashes
world: 1                      # where it stands on the map
order: 99
title: My First Level
domain: Workloads & Scheduling
difficulty: 1                 # one to five stars
minutes: 3
idea: A Deployment scaled to zero runs nothing, and says so to nobody.
rng: 1                        # the seed of names and of all chance

story: |
  The shop is closed, but the sign says open. Somebody saved on power last night.
briefing: "09:00  web 0/0, and nobody was told"

cluster:
  preset: solo                # solo, trio, ha, nine or one
  registry:                   # images that the level's own registry holds
    - {image: "registry.local/web:1", size: 30Mi, program: web}

programs:                     # what the image does: when it is up, what it answers, what it uses
  web: {startSeconds: 1, listen: [8080], http: {/: 200 open}, cpu: 10m, memory: 20Mi}

objects:                      # applied before the player begins, exactly as kubectl would
  - {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
  - apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web, namespace: shop}
    spec:
      replicas: 0
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec: {containers: [{name: web, image: "registry.local/web:1"}]}
settle: 10s                   # how long the broken state runs before the player begins

player:
  user: nina
  kubeconfig: {server: "https://10.0.0.10:6443", user: nina, namespace: shop}
  rbac: {clusterRole: edit, namespace: shop}

symptom:                      # the first command, typed for the player, and what it says
  - run: kubectl get deployment web
    expect: {contains: "0/0"}

objectives:                   # all must hold at once; \`for\` says how long
  - id: ready
    text: two web pods Ready
    check: {ready: {kind: Deployment, namespace: shop, name: web, replicas: 2}}
    for: 5s

hints:
  - {stars: 0.5, text: "How many pods does the Deployment want? kubectl get deployment web -o yaml"}
  - {stars: 0.5, text: "spec.replicas is 0."}
  - {stars: 1, text: "kubectl scale deployment/web --replicas=2"}
lastHint:
  - {run: "kubectl scale deployment/web --replicas=2"}

solution:
  steps:
    - {run: "kubectl scale deployment/web --replicas=2"}
cheats:                       # wrong fixes that must not win, and what they meet
  - {id: restart, steps: [{run: "kubectl rollout restart deployment/web"}], expect: {unmet: ready, won: false}}

debrief:
  model: |
    A Deployment with replicas 0 is satisfied with nothing: no event, no warning, no pod.
  commands: [kubectl scale]
`;
