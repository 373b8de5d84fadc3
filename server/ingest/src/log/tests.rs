use paretoscope_domain::fact::FactKind;
use paretoscope_domain::{Attempt, RunId};
use proptest::prelude::*;

use super::found::MOST;
use super::secret::NOT_KEPT;
use super::*;

fn read(file: &str, text: &str) -> Read {
    let mut scan = Scan::new(file);
    scan.push(text.as_bytes());
    scan.finish().unwrap()
}

/// Line, kind, key and value of what a text says.
fn told(file: &str, text: &str) -> Vec<(u64, FactKind, String, String)> {
    read(file, text).said.into_iter().map(|(line, s)| (line, s.kind, s.key, s.value)).collect()
}

/// Key and value of what one line of a log says of one kind.
fn of(kind: FactKind, line: &str) -> Vec<(String, String)> {
    told("server.log", line).into_iter().filter(|(_, k, ..)| *k == kind).map(|(.., key, value)| (key, value)).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

#[test]
fn variables_where_a_line_sets_or_dumps_them() {
    let cases: &[(&str, &[(&str, &str)])] = &[
        ("SGLANG_SIMULATE_ACC_LEN=3.51", &[("SGLANG_SIMULATE_ACC_LEN", "3.51")]),
        ("export SGLANG_SIMULATE_ACC_METHOD=match-expected", &[("SGLANG_SIMULATE_ACC_METHOD", "match-expected")]),
        ("declare -x NCCL_CUMEM_ENABLE=\"1\"", &[("NCCL_CUMEM_ENABLE", "1")]),
        ("+ export VLLM_USE_V1=1 PYTHONUNBUFFERED=1 HF_HOME=/models", &[("VLLM_USE_V1", "1"), ("HF_HOME", "/models")]),
        ("++ AITER_JIT_DIR='/tmp/a b'", &[("AITER_JIT_DIR", "/tmp/a b")]),
        ("export SGLANG_A=1; export SGLANG_B=2 && export SGLANG_C=3", &[("SGLANG_A", "1"), ("SGLANG_B", "2"), ("SGLANG_C", "3")]),
        ("3: SGLANG_X=1", &[("SGLANG_X", "1")]),
        ("2026-10-30T08:00:01.123Z export SGLANG_X=1", &[("SGLANG_X", "1")]),
        // A dump prints blanks and quotes as they are.
        ("NCCL_IB_HCA=mlx5_0, mlx5_1", &[("NCCL_IB_HCA", "mlx5_0, mlx5_1")]),
        ("VLLM_ARGS={\"a\": 1}", &[("VLLM_ARGS", "{\"a\": 1}")]),
        ("SGLANG_EMPTY=", &[("SGLANG_EMPTY", "")]),
        ("SGLANG_A=1 SGLANG_B=2 python3 -m sglang.launch_server --tp 4", &[("SGLANG_A", "1"), ("SGLANG_B", "2")]),
        ("PYTHONUNBUFFERED=1 TLLM_X=1 numactl -N 0 ./serve.sh", &[("TLLM_X", "1")]),
        ("env SGLANG_X=1 python3 client.py", &[("SGLANG_X", "1")]),
        ("docker run --rm -e SGLANG_X=1 -e HOME=/root --env=VLLM_Y=b image:tag", &[("SGLANG_X", "1"), ("VLLM_Y", "b")]),
        ("srun --export=ALL,NCCL_DEBUG=WARN,FOO=1 bash job.sh", &[("NCCL_DEBUG", "WARN")]),
        ("node7:12:34 [0] NCCL INFO NCCL_IB_DISABLE set by environment to 1.", &[("NCCL_IB_DISABLE", "1")]),
        (
            "{\"env\": {\"SGLANG_X\": \"1\", \"PATH\": \"/bin\", 'ROCM_QUICK_REDUCE_QUANTIZATION': 'NONE', \"DYN_N\": 3}}",
            &[("SGLANG_X", "1"), ("ROCM_QUICK_REDUCE_QUANTIZATION", "NONE"), ("DYN_N", "3")],
        ),
        ("\u{1b}[32m+ export\u{1b}[0m SGLANG_X=\u{1b}[1m1\u{1b}[0m", &[("SGLANG_X", "1")]),
        ("loading 10%\rloading 100%\rSGLANG_X=1", &[("SGLANG_X", "1")]),
        // Said in a sentence, in a comment, of another program, or not assigned.
        ("INFO conversion to FP16. set envs.VLLM_ROCM_QUICK_REDUCE_CAST=0 to turn off.", &[]),
        ("WARNING please use VLLM_X=1 instead", &[]),
        ("# export SGLANG_X=1", &[]),
        ("if [[ $SGLANG_X == 1 ]]; then", &[]),
        ("MY_SGLANG_X=1", &[]),
        ("sglang_x=1", &[]),
        ("export PATH=/usr/bin", &[]),
        ("backends: ['NCCL_SYMM_MEM', 'PYNCCL']", &[]),
    ];
    for (line, expected) in cases {
        assert_eq!(of(FactKind::Env, line), pairs(expected), "{line}");
    }
}

#[test]
fn a_build_states_itself() {
    let text = "SGLANG_BUILD_COMMIT=52604e1d\nSGLANG_BUILD_URL=https://github.com/o/n/actions/runs/1\n";
    let kinds = told("fingerprint.txt", text);
    assert_eq!(
        kinds,
        [
            (1, FactKind::BuildCommit, String::new(), "52604e1d".to_owned()),
            (2, FactKind::BuildUrl, String::new(), "https://github.com/o/n/actions/runs/1".to_owned())
        ]
    );
}

#[test]
fn arguments_of_dumps_and_commands() {
    let cases: &[(&str, &[(&str, &str)])] = &[
        (
            "[2026-10-30 08:00:01] server_args=ServerArgs(model_path='a/b', tp_size=4, kv_cache_dtype='fp8_e4m3', json_model_override_args='{}', lora_paths=None, cuda_graph_bs=[1, 2, (3, 4)], note='it\\'s (fine), really')",
            &[
                ("model_path", "a/b"),
                ("tp_size", "4"),
                ("kv_cache_dtype", "fp8_e4m3"),
                ("json_model_override_args", "{}"),
                ("lora_paths", "None"),
                ("cuda_graph_bs", "[1, 2, (3, 4)]"),
                ("note", "it's (fine), really"),
            ],
        ),
        // Cut off: what was whole is kept.
        ("server_args=ServerArgs(tp_size=4, model_path='a/", &[("tp_size", "4")]),
        (
            "(APIServer pid=7) INFO 07-09 09:02:44 [utils.py:273] non-default args: {'port': 8889, 'trust_remote_code': True, 'served_model_name': ['a', 'b'], 'speculative_config': {'method': 'mtp', 'num_speculative_tokens': 3}}",
            &[
                ("port", "8889"),
                ("trust_remote_code", "True"),
                ("served_model_name", "['a', 'b']"),
                ("speculative_config", "{'method': 'mtp', 'num_speculative_tokens': 3}"),
            ],
        ),
        (
            "vllm serve org/model --tensor-parallel-size=4 --trust-remote-code --max-num-seqs 16 --kv-transfer-config \\{\\\"kv_role\\\":\\\"kv_both\\\"\\} 2>&1 | tee server.log",
            &[
                ("model", "org/model"),
                ("tensor_parallel_size", "4"),
                ("trust_remote_code", ""),
                ("max_num_seqs", "16"),
                ("kv_transfer_config", "{\"kv_role\":\"kv_both\"}"),
            ],
        ),
        (
            "+ SGLANG_X=1 python3 -m sglang.launch_server --model-path a --cuda-graph-bs 1 2 4 --mem-fraction-static 0.91 --enable-metrics > log &",
            &[("model_path", "a"), ("cuda_graph_bs", "1 2 4"), ("mem_fraction_static", "0.91"), ("enable_metrics", "")],
        ),
        ("Launch command: python -m sglang.launch_server --tp 2 --bias -1", &[("tp", "2"), ("bias", "-1")]),
        ("numactl -N 0 -m 0 /usr/bin/python3 -m dynamo.sglang --tp-size 4", &[("tp_size", "4")]),
        ("srun -N 1 bash -c \"python3 -m dynamo.vllm --model a --is-prefill-worker; wait\"", &[("model", "a"), ("is_prefill_worker", "")]),
        ("trtllm-serve serve org/m --backend pytorch", &[("model", "org/m"), ("backend", "pytorch")]),
        ("trtllm-llmapi-launch trtllm-serve org/m --tp_size 8", &[("model", "org/m"), ("tp_size", "8")]),
        ("python -m atom.entrypoints.openai_server --spec-decode-acceptance-length 3.51", &[("spec_decode_acceptance_length", "3.51")]),
        // Sentences, mentions, other programs.
        ("INFO to keep it off, use vllm serve --no-enable-x", &[]),
        ("usage: vllm serve [model] --help", &[]),
        ("`vllm serve a --b`", &[]),
        ("vllm serve org/model", &[]),
        ("python3 -m sglang.bench_serving --num-prompts 4", &[]),
        ("vllm bench serve --num-prompts 4", &[]),
    ];
    for (line, expected) in cases {
        assert_eq!(of(FactKind::Argument, line), pairs(expected), "{line}");
    }
}

#[test]
fn a_command_over_several_lines_stands_at_its_first() {
    let script = "#!/bin/bash\nexport SGLANG_X=1\nSGLANG_Y=2 python3 -m sglang.launch_server \\\n    --model-path a \\\n    --tp 4\necho done\nexport SGLANG_Z=3\n";
    assert_eq!(
        told("sbatch_script.sh", script),
        [
            (2, FactKind::Env, "SGLANG_X".to_owned(), "1".to_owned()),
            (3, FactKind::Env, "SGLANG_Y".to_owned(), "2".to_owned()),
            (3, FactKind::Argument, "model_path".to_owned(), "a".to_owned()),
            (3, FactKind::Argument, "tp".to_owned(), "4".to_owned()),
            (7, FactKind::Env, "SGLANG_Z".to_owned(), "3".to_owned()),
        ]
    );
    // Lines of another system.
    assert_eq!(told("sbatch_script.sh", &script.replace('\n', "\r\n")), told("sbatch_script.sh", script));
    // One that never ends is ended.
    let endless = format!("vllm serve a --x \\\n{}", "--y \\\n".repeat(1_000));
    assert!(read("a.sh", &endless).said.len() > 100);
}

#[test]
fn settings_below_sections_of_yaml() {
    let text = "\
name: a run
backend:
  # SGLANG_NO: 1
  prefill_environment:
    SGLANG_SIMULATE_ACC_LEN: \"3.51\"   # golden
    NCCL_MNNVL_ENABLE: 1 # on
    PATH: /bin
  sglang_config:
    prefill:
      tensor-parallel-size: 4
      disable-radix-cache: true
      model-path: 'a#b'
      hooks: |
        text: 1
    decode:
      speculative-dspark-block-size: 5
benchmark:
  concurrency: 16
extra_args:
  - --enable-metrics
  - \"--tp=4\"
env:
  - VLLM_USE_V1=1
";
    let found: Vec<_> =
        told("LOGS/config.yaml", text).into_iter().map(|(line, kind, key, value)| (line, kind, format!("{key}={value}"))).collect();
    let expected = [
        (5, FactKind::Env, "SGLANG_SIMULATE_ACC_LEN=3.51"),
        (6, FactKind::Env, "NCCL_MNNVL_ENABLE=1"),
        (10, FactKind::Argument, "tensor_parallel_size=4"),
        (11, FactKind::Argument, "disable_radix_cache=true"),
        (12, FactKind::Argument, "model_path=a#b"),
        (14, FactKind::Argument, "text=1"),
        (16, FactKind::Argument, "speculative_dspark_block_size=5"),
        (20, FactKind::Argument, "enable_metrics="),
        (21, FactKind::Argument, "tp=4"),
        (23, FactKind::Env, "VLLM_USE_V1=1"),
    ];
    assert_eq!(found, expected.map(|(line, kind, text)| (line, kind, text.to_owned())));
}

#[test]
fn acceptance_lengths_are_averaged_over_their_lines() {
    let sglang = "\
Decode batch. #running-req: 1, #token: 9, token usage: 0.01, accept len: 3.50, accept rate: 0.70, gen throughput (token/s): 200.1
\u{1b}[36mDecode batch [7], #running-req: 2, accept len: 3.52, cuda graph: True\u{1b}[0m
Prefill batch. #new-seq: 1, accept len: 9.00
Decode batch. #running-req: 1, accept len: nan
a client's accept len: 1.00
";
    assert_eq!(read("a.log", sglang).means, [("accept len", "3.51".to_owned(), 2)]);
    let vllm = "\
INFO SpecDecoding metrics: Mean acceptance length: 2.95, Accepted throughput: 1.00 tokens/s
INFO SpecDecoding metrics: Mean acceptance length: 2.90, Accepted throughput: 1.00 tokens/s
INFO SpecDecoding metrics: Mean acceptance length: 2.92, Accepted throughput: 1.00 tokens/s
INFO SpecDecoding metrics: Mean acceptance length: nan, Accepted throughput: 0.00 tokens/s
";
    let (name, mean, lines) = read("a.log", vllm).means.remove(0);
    assert_eq!((name, lines), ("Mean acceptance length", 3));
    assert!(mean.starts_with("2.92333333333"), "{mean}: nothing is rounded away");
    // A hundred thousand equal values are that value.
    let many = "Decode batch. accept len: 3.51\n".repeat(100_000);
    assert_eq!(read("a.log", &many).means, [("accept len", "3.51".to_owned(), 100_000)]);
    assert!(read("a.log", "no such line").means.is_empty());
}

#[test]
fn changes_of_the_engine() {
    for (line, what) in [
        ("+ git apply /patches/a.patch", Some("git apply")),
        ("patch -p1 < a.patch", Some("patch")),
        ("sed -i 's/a/b/' /usr/lib/python3/site-packages/sglang/x.py", Some("sed -i")),
        ("sed -i 's/a/b/' config.yaml", None),
        ("pip install --no-deps /wheels/sglang-1.0.whl", Some("pip install")),
        ("uv pip install git+https://github.com/o/n", Some("pip install")),
        ("pip install -r requirements.txt", None),
        ("WARNING Monkey patching the scheduler", Some("monkey patch")),
        ("cp -r fixes/x.py /opt/venv/lib/python3.12/dist-packages/vllm/", Some("overlay")),
        ("import from /usr/lib/python3/dist-packages/vllm", None),
        ("dispatch -> done", None),
    ] {
        let found = of(FactKind::Patch, line);
        assert_eq!(found.first().map(|(key, value)| (key.as_str(), value.as_str())), what.map(|w| (w, line.trim())), "{line}");
    }
}

#[test]
fn secrets_are_not_kept() {
    let token = format!("hf_{}", "a".repeat(34));
    let cases = [
        (format!("export HF_TOKEN={token}"), FactKind::Env, "HF_TOKEN", NOT_KEPT.to_owned()),
        ("SGLANG_API_KEY=abc".to_owned(), FactKind::Env, "SGLANG_API_KEY", NOT_KEPT.to_owned()),
        ("DYN_DB_PASSWORD=a b".to_owned(), FactKind::Env, "DYN_DB_PASSWORD", NOT_KEPT.to_owned()),
        ("MC_SECRET_ID=abc".to_owned(), FactKind::Env, "MC_SECRET_ID", NOT_KEPT.to_owned()),
        (format!("VLLM_ARGS=--hf {token} x"), FactKind::Env, "VLLM_ARGS", format!("--hf {NOT_KEPT} x")),
        ("HF_ENDPOINT=https://ann:pw@host/x".to_owned(), FactKind::Env, "HF_ENDPOINT", format!("https://{NOT_KEPT}@host/x")),
        (
            "VLLM_X={\"api_key\": \"abc\", \"n\": 1}".to_owned(),
            FactKind::Env,
            "VLLM_X",
            format!("{{\"api_key\": \"{NOT_KEPT}\", \"n\": 1}}"),
        ),
        ("vllm serve m --api-key abc".to_owned(), FactKind::Argument, "api_key", NOT_KEPT.to_owned()),
        ("ServerArgs(api_key='abc', tp=1)".to_owned(), FactKind::Argument, "api_key", NOT_KEPT.to_owned()),
        // These are none.
        (
            "SGLANG_SIMULATE_ACC_TOKEN_MODE=real-draft-token".to_owned(),
            FactKind::Env,
            "SGLANG_SIMULATE_ACC_TOKEN_MODE",
            "real-draft-token".to_owned(),
        ),
        ("ServerArgs(api_key=None, tp=1)".to_owned(), FactKind::Argument, "api_key", "None".to_owned()),
        ("vllm serve m --max-num-batched-tokens 8192".to_owned(), FactKind::Argument, "max_num_batched_tokens", "8192".to_owned()),
    ];
    for (line, kind, key, value) in cases {
        let found = of(kind, &line).into_iter().find(|(k, _)| k == key);
        assert_eq!(found, Some((key.to_owned(), value)), "{line}");
    }
    let line = "HF_TOKEN=abc pip install --token xyz git+https://ann:pw@host/n.git";
    let patch = of(FactKind::Patch, line).remove(0).1;
    assert!(!patch.contains("abc") && !patch.contains("xyz") && !patch.contains("pw@"), "{patch}");
    assert!(patch.contains("pip install") && patch.contains("host/n.git"), "{patch}");
}

#[test]
fn a_setting_that_is_repeated_is_kept_once() {
    let mut found = Found::default();
    found.add(read("a.log", "SGLANG_X=1\nSGLANG_X=1\nSGLANG_X=2\nDecode batch. accept len: 3.5\n"));
    found.add(read("b.log", "SGLANG_X=1\nSGLANG_Y=1\nDecode batch. accept len: 3.5\n"));
    let facts = found.facts(RunId::new(1).unwrap(), Attempt::new(2), "server_logs_x", true);
    let told: Vec<_> = facts.iter().map(|f| (f.key.as_str(), f.value.as_str(), f.count, f.origin.in_words())).collect();
    assert_eq!(
        told,
        [
            ("SGLANG_X", "1", Some(3), "server_logs_x/a.log, line 1".to_owned()),
            ("SGLANG_X", "2", None, "server_logs_x/a.log, line 3".to_owned()),
            ("accept len", "3.5", Some(1), "server_logs_x/a.log".to_owned()),
            ("SGLANG_Y", "1", None, "server_logs_x/b.log, line 2".to_owned()),
        ]
    );
    assert!(facts.iter().all(|f| f.eval && f.attempt == Attempt::new(2) && f.point.is_none()));
}

#[test]
fn what_is_beyond_all_bounds_is_said_to_be() {
    let lines: String = (0..MOST + 10).map(|n| format!("SGLANG_X={n}\n")).collect();
    let mut found = Found::default();
    found.add(read("a.log", &lines));
    let facts = found.facts(RunId::new(1).unwrap(), None, "a", false);
    assert_eq!(facts.len(), MOST + 1);
    let note = facts.last().unwrap();
    assert!(note.kind == FactKind::Note && note.value.starts_with("10 more"), "{note:?}");
    let long = format!("SGLANG_X={}", "é".repeat(5_000));
    assert!(of(FactKind::Env, &long).remove(0).1.ends_with("… (cut, 10000 bytes)"));
}

#[test]
fn what_is_no_text_says_nothing() {
    let mut scan = Scan::new("picture.png");
    scan.push(b"\x89PNG\x0d\x0a\x1a\x0a\0\0\0\rSGLANG_X=1\n");
    scan.push(b"SGLANG_X=1\n");
    assert!(scan.finish().is_none());
    assert!(Scan::new("empty").finish().unwrap().said.is_empty());
}

proptest! {
    /// Whatever stands in a log, and however it comes in pieces: no panic, and the pieces don't show.
    #[test]
    fn any_text_in_any_pieces(text in log_like(), cut in 0_usize..400, yaml in any::<bool>()) {
        let file = if yaml { "a.yaml" } else { "a.log" };
        let whole = read(file, &text);
        let (a, b) = text.as_bytes().split_at(cut.min(text.len()));
        let mut scan = Scan::new(file);
        scan.push(a);
        scan.push(b);
        let pieces = scan.finish().unwrap();
        prop_assert_eq!(whole.said, pieces.said);
        prop_assert_eq!(whole.means, pieces.means);
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let mut scan = Scan::new("a.yml");
        scan.push(&bytes);
        scan.finish();
    }
}

/// Text made of what our readers look for.
fn log_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("SGLANG_X=".to_owned()),
        Just("export ".to_owned()),
        Just("server_args=ServerArgs(".to_owned()),
        Just("non-default args: {".to_owned()),
        Just("python -m sglang.launch_server --".to_owned()),
        Just("vllm serve ".to_owned()),
        Just("Decode batch accept len: ".to_owned()),
        Just("sglang_config:\n  ".to_owned()),
        Just(" set by environment to ".to_owned()),
        Just("docker run -e VLLM_".to_owned()),
        Just("pip install https://a:b@".to_owned()),
        Just("\\\n".to_owned()),
        Just("\u{1b}[3".to_owned()),
        "[ a-z0-9'\"(){}\\[\\],:=#.\\\\/@\n\r-]{0,12}",
        "[^\0]{0,4}",
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}
